import LinuxSystem
import Synchronization
import TestSupport

/// A subscriber that reads as fast as it can and notes when each event came.
final class Subscriber: Sendable {
  /// The ways to get events.
  enum Kind: String, Sendable, CaseIterable {
    /// A named consumer, which acknowledges each page over a second connection.
    case consumer = "named consumers"
    case call = "calls of Events"
    case socket = "on the events socket"
  }

  private let kind: Kind
  private let name: String
  private let state = Mutex<[Int64: ContinuousClock.Instant]>([:])
  private let newestNumber = Mutex<Int64>(0)

  /// - Parameter name: The name of a named consumer.
  init(_ kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// The number of the newest event that came.
  var newest: Int64 { newestNumber.withLock { $0 } }

  /// The times of the events that came since the last call, by their numbers.
  func takeArrivals() -> [Int64: ContinuousClock.Instant] {
    state.withLock { state in
      defer { state = [:] }
      return state
    }
  }

  /// Reads events until the task is cancelled.
  ///
  /// - Parameter since: The number of the event after which it begins, if its kind can choose that.
  func run(_ daemon: DaemonProcess, since: Int64) async throws {
    switch kind {
    case .socket:
      try await read(StreamSocket.connect(toPath: daemon.eventsSocket), UInt8(ascii: "\n")) { _ in }
    case .call:
      let socket = try await Self.call("Events", "{\"since\":\(since)}", daemon)
      try await read(socket, 0) { _ in }
    case .consumer:
      let socket = try await Self.call(
        "Consume", "{\"consumer\":\"\(name)\",\"since\":\(since)}", daemon)
      let control = try await StreamSocket.connect(toPath: daemon.controlSocket)
      try await read(socket, 0) { newest in
        try await control.write(
          Self.message(
            "Acknowledge", "{\"consumer\":\"\(self.name)\",\"sequence\":\(newest)}", more: false))
        // Each request gets one short answer.
        _ = try await control.read()
      }
    }
  }

  /// Begins a call that gets replies without end.
  static func call(
    _ method: String, _ parameters: String, _ daemon: DaemonProcess
  ) async throws -> StreamSocket {
    let socket = try await StreamSocket.connect(toPath: daemon.controlSocket)
    try await socket.write(message(method, parameters, more: true))
    return socket
  }

  private static func message(_ method: String, _ parameters: String, more: Bool) -> [UInt8] {
    Array(
      "{\"method\":\"io.geofenced.\(method)\",\"more\":\(more),\"parameters\":\(parameters)}".utf8)
      + [0]
  }

  private func read(
    _ socket: StreamSocket, _ delimiter: UInt8, _ took: (Int64) async throws -> Void
  ) async throws {
    var frames = FrameBuffer(delimiter: delimiter, limit: 16 << 20)
    while let bytes = try await socket.read(), !bytes.isEmpty {
      let now = ContinuousClock.now
      frames.append(bytes)
      while case .frame(let message) = frames.next() {
        let numbers = Self.numbers(in: message)
        guard let last = numbers.last else { continue }
        state.withLock { state in for number in numbers { state[number] = now } }
        newestNumber.withLock { $0 = last }
        try await took(last)
      }
    }
  }

  /// The numbers of the events in a message, found by their key.
  ///
  /// Decoding whole messages would cost the subscribers more than the daemon.
  static func numbers(in message: [UInt8]) -> [Int64] {
    let key = Array("\"sequence\":".utf8)
    var numbers: [Int64] = []
    var index = 0
    while index + key.count < message.count {
      guard message[index] == key[0], message[index..<(index + key.count)].elementsEqual(key) else {
        index += 1
        continue
      }
      index += key.count
      var number: Int64 = 0
      while index < message.count, (48...57).contains(message[index]) {
        number = number * 10 + Int64(message[index] - 48)
        index += 1
      }
      numbers.append(number)
    }
    return numbers
  }
}
