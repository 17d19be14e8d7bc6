package import LinuxSystem

/// The failure of a call on this side of the connection.
package enum VarlinkConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no file at the path.
  case noSuchSocket(path: String)

  /// This user may not use the socket, by its mode or owner.
  case permissionDenied(path: String)

  /// The file at the path isn't a socket.
  case noSocket(path: String)

  /// There is a socket, but nobody listens on it.
  case nobodyListens(path: String)

  /// The other end closed the connection, or an earlier call left it unusable.
  case closed

  /// The service didn't answer in time.
  case timedOut

  /// A reply was longer than this connection accepts.
  case replyTooLong(maximumBytes: Int)

  /// A reply wasn't of the expected form.
  case malformedReply(String)

  /// Another call on this connection is still under way.
  case busy

  /// The socket can't be reached for another reason.
  case unreachable(path: String, Errno)

  /// Another error of the system.
  case failed(Errno)

  package var description: String {
    switch self {
    case .noSuchSocket(let path): "there is no socket at \(path)"
    case .permissionDenied(let path): "permission to connect to \(path) was denied"
    case .noSocket(let path): "\(path) is no socket"
    case .nobodyListens(let path): "nobody listens on \(path)"
    case .closed: "the daemon closed the connection"
    case .timedOut: "the daemon did not answer in time"
    case .replyTooLong(let bytes): "the daemon's reply is longer than \(bytes) bytes"
    case .malformedReply(let problem):
      "the daemon's reply can't be understood, as if it were of another version: \(problem)"
    case .busy: "another call on this connection is not over yet"
    case .unreachable(let path, let error): "connecting to \(path) failed: \(error)"
    case .failed(let error): "the connection failed: \(error)"
    }
  }

  init(connectingTo path: String, _ error: Errno) {
    switch error {
    case .noSuchFile: self = .noSuchSocket(path: path)
    case .permissionDenied: self = .permissionDenied(path: path)
    case .connectionRefused:
      let kind = (try? FileStatus(path: path))?.kind ?? .socket
      self = kind == .socket ? .nobodyListens(path: path) : .noSocket(path: path)
    case .timedOut: self = .timedOut
    default: self = .unreachable(path: path, error)
    }
  }

  init(_ error: Errno) {
    switch error {
    case .brokenPipe, .connectionReset: self = .closed
    case .timedOut: self = .timedOut
    default: self = .failed(error)
    }
  }
}
