import Foundation
import Glibc
import HostileInputs

// The package manager gives the program's `main` another name, so that it hides libFuzzer's, and calls this itself.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ read: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What `INPUT=` names, and a folder in memory for its files.
private let input = HostileInput(
  rawValue: ProcessInfo.processInfo.environment["INPUT"] ?? HostileInput.recording.rawValue)
private let folder = "/dev/shm/geofenced-fuzz-\(getpid())"

/// Reads one input; libFuzzer's own `main` asks for this name.
@_cdecl("LLVMFuzzerTestOneInput")
func read(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    _ = try input?.read(Array(UnsafeBufferPointer(start: bytes, count: count)), in: folder)
  } catch {
    // The fuzzer keeps what has led here.
    fatalError("\(error)")
  }
  return 0
}

/// Runs the fuzzer with its own options; see `make fuzz`.
@_cdecl("fuzz_main")
func fuzz(
  _ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
  guard input != nil else {
    let names = HostileInput.allCases.map(\.rawValue).joined(separator: ", ")
    FileHandle.standardError.write(Data("fuzz: INPUT= is one of \(names)\n".utf8))
    return 2
  }
  mkdir(folder, 0o700)
  atexit { try? FileManager.default.removeItem(atPath: folder) }
  var (count, words) = (count, words)
  return runFuzzer(&count, &words, read)
}
