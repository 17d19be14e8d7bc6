import CommandLineParsing
import ControlInterface
import LinuxSystem
import Varlink

extension ControlClient {
  /// How far listening has come.
  struct Listening {
    /// Whether the daemon has answered: one that was never there is an error, one that goes away comes
    /// back.
    var wasAnswered = false

    /// How long to wait before a daemon that is gone is tried again.
    fileprivate var backoff = Backoff(from: .milliseconds(250), upTo: .seconds(5))

    /// Takes note that an answer was dealt with.
    mutating func succeed() {
      wasAnswered = true
      backoff.reset()
    }
  }

  /// Listens to the daemon, and again when it comes back after it went away.
  ///
  /// - Parameter listen: returns when there is nothing more to hear; takes note of the answers.
  static func reconnecting(
    _ arguments: ParsedArguments, _ listen: (inout Listening) async throws -> Void
  ) async throws {
    var state = Listening()
    while true {
      do {
        return try await listen(&state)
      } catch let error where state.wasAnswered && passes(error) {
        if state.backoff.failures == 0 {
          Console.tell("\(error), trying again", by: arguments)
        }
      }
      try await PollerClock().sleep(for: state.backoff.next())
    }
  }

  /// Whether an error is of those that end by themselves, if somebody tries again.
  private static func passes(_ error: any Error) -> Bool {
    // The daemon may not have noticed yet that it lost this very reader, so being in use passes too.
    let names = [ControlError.Name.consumerInUse, .persistenceUnavailable].map(\.qualified)
    return isAway(error) || (error as? VarlinkError).map { names.contains($0.name) } ?? false
  }

  /// Whether an error says that the daemon isn't there, or has too much to do for an answer.
  static func isAway(_ error: any Error) -> Bool {
    switch error {
    case let failure as CommandFailure: failure.exitCode == .unreachable
    case let error as VarlinkError:
      [.tooManyRequests, .tooManyConnections].contains(VarlinkFault(of: error))
    default: false
    }
  }
}
