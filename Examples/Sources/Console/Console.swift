import Foundation

/// Prints a line at once, also into a pipe or a file.
package func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Says what is wrong, in one line.
package func complain(_ line: String) {
  let program = URL(filePath: CommandLine.arguments[0]).lastPathComponent
  FileHandle.standardError.write(Data("\(program): \(line)\n".utf8))
}

/// Ends the program with a word on how it is used.
package func fatalUsage(_ usage: String) -> Never {
  FileHandle.standardError.write(Data("usage: \(usage)\n".utf8))
  exit(2)
}

/// Does what a program is for, and ends the program with the reason where it fails.
package func run(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async {
  do {
    try await body()
  } catch {
    complain("\(error)")
    exit(1)
  }
}
