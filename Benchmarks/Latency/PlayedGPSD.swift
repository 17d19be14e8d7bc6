import LinuxSystem
import TestSupport

/// A gpsd that sends what it is told, at the moment from which time is measured.
final class PlayedGPSD {
  private let listener: LoopbackListener
  private var accepted: Descriptor?

  init() throws {
    listener = try LoopbackListener(backlog: 4)
  }

  /// The port to which the daemon connects.
  var port: Int { listener.port }

  /// Accepts the daemon's connection and answers its first requests.
  ///
  /// A connection that an earlier daemon has left is skipped.
  func accept() throws {
    while true {
      do {
        return try acceptNext()
      } catch let error as Errno where error == .brokenPipe {
        continue
      }
    }
  }

  /// - Throws: ``Errno/brokenPipe`` if the connection was left already.
  private func acceptNext() throws {
    let connection = try Descriptor.accepted(
      on: listener.descriptor.rawValue, patience: .seconds(20))
    try connection.write(
      Self.line(
        "{\"class\":\"VERSION\",\"release\":\"3.22\",\"rev\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}"
      ))
    guard connection.spin(for: .seconds(10)) else { throw Errno.timedOut }
    _ = try connection.readAtHand()
    try connection.write(
      Self.line(
        "{\"class\":\"DEVICES\",\"devices\":[{\"class\":\"DEVICE\",\"path\":\"/dev/ttyACM0\","
          + "\"activated\":\"2026-01-01T00:00:00.000Z\"}]}")
        + Self.line("{\"class\":\"WATCH\",\"enable\":true,\"json\":true}"))
    accepted = consume connection
  }

  /// Sends something to the daemon.
  func say(_ bytes: [UInt8]) throws {
    guard accepted != nil else { throw Errno.timedOut }
    try accepted?.write(bytes)
  }

  /// Whether the other end has closed its connection.
  var isReleased: Bool {
    do {
      _ = try accepted?.readAtHand()
      return accepted == nil
    } catch {
      return true
    }
  }

  private static func line(_ text: String) -> [UInt8] { Array((text + "\r\n").utf8) }
}
