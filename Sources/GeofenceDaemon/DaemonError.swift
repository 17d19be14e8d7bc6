import ControlInterface
package import LinuxSystem

/// Why the daemon can't start, or what its end has cost.
package enum DaemonError: Error, CustomStringConvertible {
  case cannotListen(path: String, Errno)
  case cannotMakeDirectory(path: String, Errno)

  /// The service manager passed a socket that is neither of the two.
  case unusedSocket(path: String)

  /// The daemon stopped while events waited in memory that could not be stored, and why.
  case eventsLost(Int, because: String?)

  package var description: String {
    switch self {
    case .cannotListen(let path, .addressInUse):
      "\(path) is in use: another geofenced answers there, or it is no socket"
    case .cannotListen(let path, .nameTooLong):
      """
      can't listen on \(path): the path of a socket has at most 107 bytes; choose a shorter \
      RuntimeDirectory=
      """
    case .cannotListen(let path, .permissionDenied):
      "can't listen on \(path): choose a RuntimeDirectory= in which this user may write"
    case .cannotListen(let path, let error): "can't listen on \(path): \(error)"
    case .cannotMakeDirectory(let path, .permissionDenied):
      """
      can't make the directory \(path): this user may not; --runtime-directory and \
      --state-directory name others
      """
    case .cannotMakeDirectory(let path, let error): "can't make the directory \(path): \(error)"
    case .unusedSocket(let path):
      """
      the socket '\(path)' from the service manager is not used: let the socket unit name \
      \(GeofencedInterface.socketName) and \(GeofencedInterface.eventsSocketName), each once
      """
    case .eventsLost(let count, let reason):
      "Stopped with \(count == 1 ? "1 event" : "\(count) events") lost that could not be stored"
        + (reason.map { ": \($0)" } ?? "")
    }
  }
}
