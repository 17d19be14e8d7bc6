import CommandLineParsing
import ControlInterface
import Testing
import Varlink

@testable import GeofenceCommands

/// What commands refuse before the daemon is asked, or anything is read.
struct CommandMistakesTests {
  private func arguments(_ words: [String]) throws -> ParsedArguments {
    guard case .run(let arguments) = try Program.definition.parse(words) else { throw Failure() }
    return arguments
  }

  private struct Failure: Error {}

  @Test(arguments: ["/run/geofenced/events", "events", "./run//events/"])
  func `the events socket isn't taken for the control socket`(path: String) async throws {
    let arguments = try arguments(["ctl", "--socket", path, "list"])
    func check(_ call: () async throws -> Void) async {
      let failure = await #expect(throws: CommandFailure.self) { try await call() }
      #expect(failure?.exitCode == .unreachable)
      #expect(
        failure?.description
          == "\(path) is the events socket; the control socket is io.geofenced beside it")
    }
    await check { _ = try await ControlClient.call(Status.self, Status.Parameters(), arguments) }
    await check {
      try await ControlClient.stream(List.self, List.Parameters(), arguments, prompt: .all) { _ in }
    }
    await check { try await ControlClient.connected(arguments, patience: .seconds(1)) { _ in } }
  }

  @Test(arguments: [
    ["--conditions", "-", "-"], ["--diff-conditions", "-", "-"],
    ["--conditions", "-", "--diff-conditions", "-", "day.json"],
  ])
  func `standard input is read once`(words: [String]) async throws {
    let arguments = try arguments(["replay"] + words)
    let error = await #expect(throws: UsageError.self) { try await ReplayCommand.run(arguments) }
    #expect(
      error?.message
        == "only one of RECORDING, --conditions and --diff-conditions can be standard input")
  }
}
