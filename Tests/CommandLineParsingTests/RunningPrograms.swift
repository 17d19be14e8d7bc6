import Foundation
import Testing

/// Runs a program on a text; without the program the test is cancelled.
func run(
  _ name: String, _ arguments: [String], input: String
) throws -> (status: Int32, output: String, errors: String) {
  let path = ["/usr/bin/\(name)", "/bin/\(name)"].first(
    where: FileManager.default.isExecutableFile(atPath:))
  guard let path else { try Test.cancel("\(name) is not installed") }
  let process = Process()
  let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  process.standardInput = standardInput
  process.standardOutput = output
  process.standardError = errors
  try process.run()
  try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
  try standardInput.fileHandleForWriting.close()
  let text = try output.fileHandleForReading.readToEnd() ?? Data()
  let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (
    process.terminationStatus, String(decoding: text, as: UTF8.self),
    String(decoding: complaints, as: UTF8.self)
  )
}
