import Glibc

/// The variables of the environment that are known.
enum Environment {
  /// Those of the daemon.
  static var values: [String: String] {
    var values: [String: String] = [:]
    for name in ["STATE_DIRECTORY", "RUNTIME_DIRECTORY"] { values[name] = value(name) }
    return values
  }

  /// Where the daemon is reached, as for programs with the client library.
  static var socket: String? { value("GEOFENCED_SOCKET").flatMap { $0.isEmpty ? nil : $0 } }

  static func value(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
