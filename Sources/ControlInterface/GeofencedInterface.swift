/// The interface as a whole.
package enum GeofencedInterface {
  /// Its name, with which those of its methods and errors begin.
  package static let name = "io.geofenced"

  /// The description that callers may ask for.
  package static var description: String {
    String(decoding: PackageResources.io_geofenced_varlink, as: UTF8.self)
  }

  /// The file name of the control socket, by which the daemon knows the one that it was passed.
  package static let socketName = name

  /// The file name of the socket that tells of events, and takes no calls.
  package static let eventsSocketName = "events"

  /// Why a path isn't that of the control socket; nil where it may be.
  ///
  /// The events socket would give a call no answer, and take the events that it sends for told.
  package static func mistake(inControlSocket path: String) -> String? {
    guard path.split(separator: "/").last.map(String.init) == eventsSocketName else { return nil }
    return "\(path) is the events socket; the control socket is \(socketName) beside it"
  }

  /// What is said where the socket's mode or owner keeps a user out.
  package static func refusal(ofSocket path: String) -> String {
    "permission to connect to \(path) was denied: only root may, and the group of the socket, which "
      + "is 'geofenced' for the system's service (who has just joined it has to log in again; where "
      + "that isn't enough, a reboot is)"
  }

  /// Where the daemon listens when nothing else is said.
  package static let defaultSocketPath = "/run/geofenced/\(socketName)"

  /// The monitor that is meant when none is named.
  package static let defaultMonitor = "default"
}
