import Foundation
import Glibc

/// A file with a line for each thing that was done.
struct Diary {
  private let file: FileHandle
  private let lastWord: String?
  private var wordsLeft: Int

  /// Opens the file to append to it.
  ///
  /// - Parameter lastWord: The word after which the program ends, when it has said it so often.
  init(path: String, lastWord: (word: String, count: Int)?) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    self.lastWord = lastWord?.word
    wordsLeft = lastWord?.count ?? 0
  }

  /// Writes a line, in one piece.
  mutating func note(_ word: String, _ sequence: Int) throws {
    try file.write(contentsOf: Data("\(word) \(sequence)\n".utf8))
    guard word == lastWord else { return }
    wordsLeft -= 1
    if wordsLeft <= 0 { _exit(9) }
  }
}
