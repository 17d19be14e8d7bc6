package import LinuxSystem

/// Why a service manager didn't start a unit.
package enum UnitStartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody answers at the address: the manager or its bus doesn't run.
  case noManager(address: String)

  /// The manager didn't answer in time.
  case timedOut

  /// There is no such unit.
  case noSuchUnit(String)

  /// The manager refused, with this message.
  case refused(String)

  /// Talking to the manager failed.
  case failed(Errno)

  package var description: String {
    switch self {
    case .noManager(let address): "no service manager answers at \(address)"
    case .timedOut: "the service manager did not answer in time"
    case .noSuchUnit(let sentence), .refused(let sentence): sentence
    case .failed(let error): "talking to the service manager failed: \(error)"
    }
  }
}
