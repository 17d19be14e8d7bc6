/// What the program's exit status tells a script.
///
/// These five are all there are; the help text and the manual page list them from here.
package enum ExitCode: Int32, CaseIterable, Sendable {
  /// What was asked is done.
  case success = 0
  /// What was asked could not be done; standard error says why.
  case failure = 1
  /// The command line was wrong, so nothing was tried.
  case usage = 2
  /// The daemon could not be reached.
  case unreachable = 3
  /// What was compared is not the same.
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
