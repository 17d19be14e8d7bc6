import CommandLineParsing
import Foundation
import TestSupport
import Testing

@testable import GeofenceCommands

/// What `geofenced check-config` ends with.
struct CheckConfigTests {
  private func status(_ text: String, _ options: String...) async throws -> ExitCode {
    let folder = try TemporaryFolder()
    let file = folder.path + "/geofenced.conf"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return await Program.run(["check-config"] + options + [file])
  }

  @Test(arguments: ["[Receiver]\nHosts=x\n", "[Decison]\nConfidence=0.9\n"])
  func `what the daemon would ignore is a mistake, unless it is asked to be lenient`(
    text: String
  ) async throws {
    #expect(try await status(text) == .failure)
    #expect(try await status(text, "--lenient") == .success)
  }

  @Test func `a warning of something that is used is none`() async throws {
    #expect(try await status("[Receiver]\nHost=x\n") == .success)
    #expect(try await status("[Receiver]\nPauseProbeSec=20min\n") == .success)
    #expect(try await status("[Receiver]\nPort=none\n", "--lenient") == .failure)
  }
}
