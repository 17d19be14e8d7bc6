import Foundation
import LinuxSystem
import Positioning

/// A port of 127.0.0.1 that a test answers on, as a gpsd with a fault would.
final class GPSDFake: Sendable {
  let port: Int
  private let listener: FileDescriptor

  init() throws {
    let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Errno.last }
    listener = FileDescriptor(adopting: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 && listen(number, 8) == 0
          && getsockname(number, $0, &length) == 0
      }
    }
    guard isListening else { throw Errno.last }
    try listener.setNonBlocking()
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { Poller.shared.forget(listener.rawValue) }

  /// Settings that lead here; patient, because the machine may be slow.
  var settings: GPSDSettings {
    var settings = GPSDSettings()
    settings.port = port
    settings.bannerTimeout = .seconds(30)
    settings.silence = .seconds(30)
    settings.epochGap = .milliseconds(10)
    settings.shortestDelay = .milliseconds(1)
    return settings
  }

  /// The next client.
  func accept() async throws -> Client {
    while true {
      let number = Glibc.accept(listener.rawValue, nil, nil)
      if number >= 0 {
        let descriptor = FileDescriptor(adopting: number)
        try descriptor.setNonBlocking()
        return Client(number: number, socket: StreamSocket(adopting: descriptor))
      }
      guard Errno.last == .wouldBlock else { throw Errno.last }
      _ = try await Poller.shared.wait(for: .reading, on: listener.rawValue)
    }
  }

  /// One client's connection.
  struct Client: Sendable {
    fileprivate let number: CInt
    let socket: StreamSocket

    /// Greets the client and takes its request for reports.
    func greet() async throws {
      try await socket.write(GPSDLines.banner)
      _ = try await socket.read()
      try await socket.write(GPSDLines.devices + GPSDLines.watching)
    }

    /// Waits until the client has gone.
    func waitForEnd() async throws {
      do {
        while let bytes = try await socket.read(), !bytes.isEmpty {}
      } catch let error as Errno where error == Errno(ECONNRESET) {
        // It left without having read everything.
      }
    }

    /// Makes closing the connection a reset.
    func resetWhenClosed() {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
  }
}

extension GPSDSource.Iterator {
  /// The events up to the first that a test waits for, that included.
  mutating func events(until isLast: (SourceEvent) -> Bool) async -> [SourceEvent] {
    var events: [SourceEvent] = []
    while let event = await next() {
      events.append(event)
      if isLast(event) { break }
    }
    return events
  }
}

extension SourceEvent {
  /// The latitude of a report.
  var latitude: Double? {
    if case .tpv(let report) = self { report.latitude } else { nil }
  }

  /// Why the source was lost.
  var disconnection: String? {
    if case .disconnected(let reason) = self { reason } else { nil }
  }

  var isConnected: Bool {
    if case .connected = self { true } else { false }
  }
}
