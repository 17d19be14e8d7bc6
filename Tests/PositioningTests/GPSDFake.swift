import Foundation
import LinuxSystem
import Positioning
import TestSupport

extension GPSDSettings {
  /// Settings with time-outs far longer than a busy machine takes; who tests one sets a short one.
  static func patient(port: Int) -> GPSDSettings {
    var settings = GPSDSettings()
    settings.port = port
    settings.bannerTimeout = .untilItHangs
    settings.silence = .untilItHangs
    return settings
  }
}

/// A port of 127.0.0.1 that a test answers on, as a gpsd with a fault would.
final class GPSDFake: Sendable {
  /// Where it answers.
  var port: Int { listener.port }
  private let listener: LoopbackListener

  init() throws {
    listener = try LoopbackListener(backlog: 8)
    try listener.descriptor.setNonBlocking()
  }

  deinit { Poller.shared.forget(listener.descriptor.rawValue) }

  /// Settings that lead here; patient, because the machine may be slow.
  var settings: GPSDSettings {
    var settings = GPSDSettings.patient(port: port)
    settings.epochGap = .milliseconds(10)
    settings.longestEpochGap = .milliseconds(10)
    settings.shortestDelay = .milliseconds(1)
    return settings
  }

  /// The next client.
  func accept() async throws -> Client {
    while true {
      let number = Glibc.accept(listener.descriptor.rawValue, nil, nil)
      if number >= 0 {
        let descriptor = FileDescriptor(adopting: number)
        try descriptor.setNonBlocking()
        return Client(number: number, socket: StreamSocket(adopting: descriptor))
      }
      guard Errno.last == .wouldBlock else { throw Errno.last }
      _ = try await Poller.shared.wait(for: .reading, on: listener.descriptor.rawValue)
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
    while let event = await next(isolation: #isolation) {
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
