import ControlInterface
import Geofencing
import Testing
import Varlink

@testable import GeofenceDaemon

/// Parameters of the right kind with values that can't be, over a socket.
@Suite(.timeLimit(.minutes(10))) struct ParameterMistakesTests {
  private let served: ConsumersServed

  init() throws { served = try ConsumersServed() }

  private struct Somebody: Encodable {
    let user: Int
  }

  private struct Addition: Encodable {
    let identifier: String
    let condition: Condition
    let assuming: String
  }

  /// The name and the sentence of the error that a call ends with.
  private func refusal(
    of method: String, _ parameters: some Encodable
  ) async throws -> String? {
    do {
      _ = try await served.connect().call(method, parameters, returning: NoParameters.self)
      return nil
    } catch let error as VarlinkError {
      return "\(error.name.split(separator: ".").last ?? ""): \(error)"
    }
  }

  @Test func `a user below 0 is refused`() async throws {
    try await served.run {
      let refusal = try await refusal(of: Consumers.qualifiedName, Somebody(user: -1))
      #expect(
        refusal
          == "InvalidParameter: a text can't be read, or a number is out of range, or isn't whole, "
          + "as in a user below 0")
    }
  }

  @Test func `a state that is none is refused with those that are, and nothing is added`()
    async throws
  {
    try await served.run {
      let addition = Addition(identifier: "home", condition: try circle(), assuming: "outside")
      #expect(
        try await refusal(of: Add.qualifiedName, addition)
          == "InvalidParameter: parameter 'assuming' is not valid: a state is unknown, satisfied "
          + "or unsatisfied, not 'outside'")
      #expect(await served.monitoring.summary(ofUser: nil).conditions == 0)
    }
  }

  @Test
  func `what is missing of a position, and what can't be reset, is said in the words of a caller`()
    async throws
  {
    try await served.run {
      let short = ["condition": ["polygon": ["coordinates": [[[[1.0]]]]]]]
      #expect(
        try await refusal(of: Add.qualifiedName, short)
          == "InvalidParameter: parameter 'condition.polygon.coordinates[0][0][0]' is not valid: a "
          + "position needs a longitude and a latitude")
      struct Reset: Encodable {
        let identifier = "home"
        let adjustment: [String: [String]]
      }
      #expect(
        try await refusal(
          of: Adjust.qualifiedName, Reset(adjustment: ["reset": ["radius\n"]]))
          == "InvalidParameter: parameter 'adjustment.reset[0]' is not valid: use enterAfter, "
          + "exitAfter, confidence, minimumAltitude, maximumAltitude, expires, not 'radius\\n'")
      struct Removal: Encodable { let remove: [String] }
      let removal = try await refusal(
        of: Change.qualifiedName, Removal(remove: ["a\nb\u{1B}[31m"]))
      #expect(removal?.hasPrefix("InvalidCondition: 'a\\nb\\u{1B}[31m': identifier ") == true)
    }
  }

  @Test func `a recording longer than any time is refused, not made as long as may be`()
    async throws
  {
    try await served.run {
      let endless = StartRecording.Parameters(seconds: 1e300)
      let refusal = try await refusal(of: StartRecording.qualifiedName, endless)
      #expect(refusal == "RecordingRefused: a recording can't last 1e+300 s")
      #expect(await served.methods.recorder.status(user: nil) == nil)
    }
  }
}
