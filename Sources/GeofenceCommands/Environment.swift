import Glibc

/// The environment variables that the program reads.
enum Environment {
  /// The directories that systemd has made for the service, for its configuration.
  static var values: [String: String] {
    var values: [String: String] = [:]
    for name in ["STATE_DIRECTORY", "RUNTIME_DIRECTORY"] { values[name] = value(name) }
    return values
  }

  /// The path of the daemon's socket, from the same variable as in the client library; nil if it isn't set.
  static var socket: String? { value("GEOFENCED_SOCKET").flatMap { $0.isEmpty ? nil : $0 } }

  static func value(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
