import CSystemd
import Glibc
import LinuxSystem

/// A connection to a D-Bus whose calls wait for their answers until a deadline.
@safe
struct BusConnection: ~Copyable {
  private let bus: OpaquePointer
  private let address: String
  private let deadline: ContinuousClock.Instant

  /// Prepares a connection; all calls on it have to be over by the deadline.
  init(
    address: String, deadline: ContinuousClock.Instant
  ) throws(UnitStartError) {
    var bus: OpaquePointer?
    let status = unsafe sd_bus_new(&bus)
    guard status >= 0, let bus = unsafe bus else { throw .failed(Errno(-status)) }
    unsafe self.bus = unsafe bus
    self.address = address
    self.deadline = deadline
  }

  /// Connects, and waits for the answer to the hello.
  func open() throws(UnitStartError) {
    try check(unsafe sd_bus_set_address(bus, address))
    try check(unsafe sd_bus_set_bus_client(bus, 1))
    try check(unsafe sd_bus_start(bus))
    // sd_bus_call would wait for this answer without a limit.
    while unsafe sd_bus_is_ready(bus) == 0 {
      let left = try timeLeft()
      if try check(unsafe sd_bus_process(bus, nil)) == 0 {
        try check(unsafe sd_bus_wait(bus, left))
      }
    }
  }

  deinit {
    // It isn't worth waiting until what is left is sent.
    unsafe sd_bus_close(bus)
    unsafe sd_bus_unref(bus)
  }

  /// Asks the service manager on the bus to start a unit; returns once it has accepted that.
  func startUnit(_ unit: String) throws(UnitStartError) {
    var error = unsafe sd_bus_error()
    defer { unsafe sd_bus_error_free(&error) }
    let left = try timeLeft()
    let status = unsafe systemd_start_unit(bus, unit, left, &error)
    guard status < 0 else { return }
    if -status == ETIMEDOUT { throw .timedOut }
    guard let name = unsafe error.name, let sentence = unsafe error.message else {
      throw failure(-status)
    }
    // On a user's bus, the name and the message come from a program of somebody else.
    let message = unsafe String(cString: sentence).oneLine(ofAtMost: 300)
    switch unsafe String(cString: name) {
    case "org.freedesktop.systemd1.NoSuchUnit": throw .noSuchUnit(message)
    case "org.freedesktop.DBus.Error.NoReply": throw .timedOut
    // The library also uses error names for the end of the connection.
    case "org.freedesktop.DBus.Error.ServiceUnknown",
      "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.Disconnected":
      throw .noManager(address: address)
    default: throw .refused(message)
    }
  }

  /// Microseconds until the deadline.
  private func timeLeft() throws(UnitStartError) -> UInt64 {
    let left = ContinuousClock.now.duration(to: deadline) / .microseconds(1)
    guard left >= 1 else { throw .timedOut }
    return UInt64(min(left, 1e9))
  }

  @discardableResult
  private func check(_ status: CInt) throws(UnitStartError) -> CInt {
    guard status >= 0 else { throw failure(-status) }
    return status
  }

  private func failure(_ code: CInt) -> UnitStartError {
    switch code {
    case ENOENT, ECONNREFUSED, ECONNRESET, ENOTCONN, EACCES: .noManager(address: address)
    case ETIMEDOUT: .timedOut
    default: .failed(Errno(code))
    }
  }
}
