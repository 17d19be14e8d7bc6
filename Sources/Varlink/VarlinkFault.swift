/// A request that the server refuses before any method sees it.
///
/// Their names belong to an interface of the program, which must describe them: the standard has
/// none for them.
package enum VarlinkFault: String, Sendable, CaseIterable {
  case messageTooLong = "MessageTooLong"
  case malformedMessage = "MalformedMessage"
  case tooManyRequests = "TooManyRequests"
  case tooManyConnections = "TooManyConnections"

  /// The error of an interface that tells of this, with a sentence as its parameter `message`.
  func error(of interface: String, _ message: String) -> VarlinkError {
    VarlinkError("\(interface).\(rawValue)", message: message)
  }
}
