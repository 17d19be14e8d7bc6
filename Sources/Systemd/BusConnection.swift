import CSystemd
import Glibc
import LinuxSystem

/// A connection to a D-Bus, on which calls wait for their answers until a deadline.
@safe
struct BusConnection: ~Copyable {
  private let bus: OpaquePointer
  private let address: String
  private let deadline: ContinuousClock.Instant

  /// A connection to be made; everything on it has to be over at the deadline.
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

  /// Connects and says hello.
  func open() throws(UnitStartError) {
    try check(unsafe sd_bus_set_address(bus, address))
    try check(unsafe sd_bus_set_bus_client(bus, 1))
    try check(unsafe sd_bus_start(bus))
    // sd_bus_call would wait for the other end's hello without a limit.
    while unsafe sd_bus_is_ready(bus) == 0 {
      let left = try timeLeft()
      if try check(unsafe sd_bus_process(bus, nil)) == 0 {
        try check(unsafe sd_bus_wait(bus, left))
      }
    }
  }

  deinit {
    // What isn't sent yet is not worth waiting for.
    unsafe sd_bus_close(bus)
    unsafe sd_bus_unref(bus)
  }

  /// Calls a method that takes strings, and waits for its answer.
  func call(
    _ method: String, of interface: String, at path: String, of destination: String,
    _ arguments: [String]
  ) throws(UnitStartError) {
    var created: OpaquePointer?
    let status = unsafe sd_bus_message_new_method_call(
      bus, &created, destination, path, interface, method)
    guard status >= 0, let created = unsafe created else { throw .failed(Errno(-status)) }
    let message = unsafe BusMessage(adopting: created)
    for argument in arguments { try check(message.append(argument)) }
    try send(message)
  }

  private func send(_ message: borrowing BusMessage) throws(UnitStartError) {
    var error = unsafe sd_bus_error()
    defer { unsafe sd_bus_error_free(&error) }
    let left = try timeLeft()
    let status = unsafe sd_bus_call(bus, message.pointer, left, &error, nil)
    guard status < 0 else { return }
    if -status == ETIMEDOUT { throw .timedOut }
    guard let name = unsafe error.name, let sentence = unsafe error.message else {
      throw failure(-status)
    }
    // Both come from somebody else's program when the bus is a user's.
    let message = unsafe String(cString: sentence).oneLine(ofAtMost: 300)
    switch unsafe String(cString: name) {
    case "org.freedesktop.systemd1.NoSuchUnit": throw .noSuchUnit(message)
    case "org.freedesktop.DBus.Error.NoReply": throw .timedOut
    case "org.freedesktop.DBus.Error.ServiceUnknown",
      "org.freedesktop.DBus.Error.NameHasNoOwner":
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

/// A message that is let go with its owner.
@safe
private struct BusMessage: ~Copyable {
  /// The message, valid while the owner lives.
  let pointer: OpaquePointer

  init(adopting pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

  deinit { unsafe sd_bus_message_unref(pointer) }

  /// Appends a string; negative when that failed.
  borrowing func append(_ text: String) -> CInt {
    unsafe text.withCString {
      unsafe sd_bus_message_append_basic(pointer, CChar(bitPattern: UInt8(ascii: "s")), $0)
    }
  }
}
