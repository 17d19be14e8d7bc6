/// A request that the server refuses before any method sees it.
///
/// Their names belong to an interface of the program, which must describe them: the standard has
/// none for them.
package enum VarlinkFault: String, Sendable, CaseIterable {
  case messageTooLong = "MessageTooLong"
  case malformedMessage = "MalformedMessage"
  case tooManyRequests = "TooManyRequests"
  case tooManyConnections = "TooManyConnections"

  /// What an error of some interface tells of; nil of any other.
  package init?(of error: VarlinkError) {
    guard let name = error.name.split(separator: ".").last else { return nil }
    self.init(rawValue: String(name))
  }
}
