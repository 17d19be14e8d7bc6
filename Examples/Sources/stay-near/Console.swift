import Foundation

/// Prints a line at once, also into a pipe or a file.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Ends the program with a word on how it is used.
func fatalUsage(_ usage: String) -> Never {
  FileHandle.standardError.write(Data("usage: \(usage)\n".utf8))
  exit(2)
}
