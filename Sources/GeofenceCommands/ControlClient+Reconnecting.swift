import CommandLineParsing
import ControlInterface
import LinuxSystem
import Varlink

extension ControlClient {
  /// The state of listening to the daemon.
  struct Listening {
    /// Whether the daemon has ever answered: if not, that is an error; else it is waited for.
    var wasAnswered = false

    /// How long to wait before a daemon that is gone is tried again.
    fileprivate var backoff = Backoff(from: .milliseconds(250), upTo: .seconds(5))

    /// Notes that an answer was dealt with.
    mutating func succeed() {
      wasAnswered = true
      backoff.reset()
    }
  }

  /// Listens to the daemon, and again each time that it comes back after it went away.
  ///
  /// - Parameter listen: listens once, notes answers in the state, and returns when there is nothing more to hear.
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

  /// Whether an error may be over when it is tried again.
  private static func passes(_ error: any Error) -> Bool {
    // Also a consumer in use: the daemon may not have noticed yet that this very reader has gone.
    let names = [ControlError.Name.consumerInUse, .persistenceUnavailable].map(\.qualified)
    return isAway(error) || (error as? VarlinkError).map { names.contains($0.name) } ?? false
  }

  /// Whether an error means that the daemon isn't there, or is too busy to answer.
  static func isAway(_ error: any Error) -> Bool {
    switch error {
    case let failure as CommandFailure: failure.exitCode == .unreachable
    case let error as VarlinkError:
      [.tooManyRequests, .tooManyConnections].contains(VarlinkFault(of: error))
    default: false
    }
  }
}
