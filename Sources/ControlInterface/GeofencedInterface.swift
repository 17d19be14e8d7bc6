/// The names of the interface and its sockets, and its description.
package enum GeofencedInterface {
  /// The interface's name, with which the names of its methods and errors begin.
  package static let name = "io.geofenced"

  /// The description of the interface, which callers may ask for.
  package static var description: String {
    String(decoding: PackageResources.io_geofenced_varlink, as: UTF8.self)
  }

  /// The file name of the control socket; the daemon recognizes an activated socket by it.
  package static let socketName = name

  /// The file name of the events socket, which only sends events and takes no calls.
  package static let eventsSocketName = "events"

  /// Why a path can't be that of the control socket; nil if it can.
  ///
  /// The events socket would never answer a call, and would count the events it sends as told.
  package static func mistake(inControlSocket path: String) -> String? {
    guard path.split(separator: "/").last.map(String.init) == eventsSocketName else { return nil }
    return "\(path) is the events socket; the control socket is \(socketName) beside it"
  }

  /// The message for a user who may not use the socket, by its mode or owner.
  package static func refusal(ofSocket path: String) -> String {
    "permission to connect to \(path) was denied: only root may, and the group of the socket, which "
      + "is 'geofenced' for the system's service (who has just joined it has to log in again; where "
      + "that isn't enough, a reboot is)"
  }

  /// The path of the control socket if no other is given.
  package static let defaultSocketPath = "/run/geofenced/\(socketName)"

  /// The monitor that is used if none is named.
  package static let defaultMonitor = "default"
}
