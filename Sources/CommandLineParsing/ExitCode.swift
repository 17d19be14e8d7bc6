/// The exit statuses of the program, for scripts.
///
/// There are only these five; the help text and the manual page list them from here.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case failure = 1
  case usage = 2
  case unreachable = 3
  case different = 4

  /// A sentence for the help text and the manual page.
  package var explanation: String {
    switch self {
    case .success: "What was asked is done."
    case .failure: "What was asked could not be done; standard error says why."
    case .usage: "The command line was wrong; nothing was tried."
    case .unreachable: "The daemon could not be reached."
    case .different: "What was compared is not the same."
    }
  }
}
