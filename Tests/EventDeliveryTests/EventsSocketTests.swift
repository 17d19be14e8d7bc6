import Foundation
import Geofencing
import JSONCoding
import LinuxSystem
import TestSupport
import Testing

@testable import EventDelivery

@Suite(.timeLimit(.minutes(10))) struct `The events socket` {
  /// Runs a socket in a directory of its own while the body lasts.
  private func serve(
    _ log: MemoryLog, maximumConnections: Int = 8, promptness: Duration = .milliseconds(1500),
    patience: Duration = .untilItHangs,
    _ body: (EventsSocket<MemoryLog>, String) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/events"
    let socket = EventsSocket(
      on: try ListeningSocket(path: path), from: log, maximumConnections: maximumConnections,
      maximumConnectionsPerUser: 4, loop: EventLoop(label: "geofenced.events-test"),
      promptness: promptness, patience: patience)
    try await withThrowingTaskGroup { group in
      group.addTask { await socket.run() }
      try await body(socket, path)
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  /// A subscriber that reads lines.
  private struct Subscriber: ~Copyable {
    let socket: StreamSocket
    private var buffer: [UInt8] = []

    init(_ path: String) async throws {
      socket = try await StreamSocket.connect(toPath: path)
    }

    /// The next events, or those up to the end of the stream.
    mutating func events(_ count: Int) async throws -> [Event] {
      var events: [Event] = []
      while events.count < count {
        while let end = buffer.firstIndex(of: 10) {
          events.append(try CanonicalJSON.decode(Event.self, from: buffer[..<end]))
          buffer.removeSubrange(...end)
          if events.count == count { return events }
        }
        guard let bytes = try await socket.read(), !bytes.isEmpty else { break }
        buffer += bytes
      }
      return events
    }
  }

  private var consumer: String { EventsSocket<MemoryLog>.consumer(ofUser: getuid()) }

  @Test func `writes an event a line and nothing else`() async throws {
    let log = MemoryLog(2)
    try await serve(log) { _, path in
      let socket = try await StreamSocket.connect(toPath: path)
      let expected = try await log.events(
        after: 0, for: EventConsumer(name: "test"), limit: 9
      ).events
        .map { $0.body + "\n" }.joined()
      var text = ""
      while text.utf8.count < expected.utf8.count {
        text += String(decoding: try #require(try await socket.read()), as: UTF8.self)
      }
      #expect(text == expected)
      log.append(1)
      let third = try #require(try await socket.read())
      #expect(third.filter { $0 == 10 }.count == 1 && third.last == 10)
      #expect(try CanonicalJSON.decode(Event.self, from: third).sequence == 3)
    }
  }

  @Test func `goes on where the user was when it connects again`() async throws {
    let log = MemoryLog(300)
    try await serve(log) { socket, path in
      do {
        var first = try await Subscriber(path)
        #expect(try await first.events(300).map(\.sequence) == Array(1...300))
        try await log.kept.wait(after: 299)
      }
      while socket.connections > 0 { await Task.yield() }
      log.append(3)
      var second = try await Subscriber(path)
      #expect(try await second.events(3).map(\.sequence) == [301, 302, 303])
    }
  }

  @Test func `keeps a place again that couldn't be kept`() async throws {
    let log = MemoryLog(1)
    log.failToKeepCursors(1)
    try await serve(log) { socket, path in
      for _ in 1...2 {
        do {
          // Nothing was kept, so it comes again.
          var subscriber = try await Subscriber(path)
          #expect(try await subscriber.events(1).map(\.sequence) == [1])
          while log.cursorFailures > 0 { await Task.yield() }
          if log.asked.latest > 1 { try await log.kept.wait(after: 0) }
        }
        while socket.connections > 0 { await Task.yield() }
      }
      #expect(log.cursor(consumer) == 1)
    }
  }

  @Test func `tells what left the log before the user heard of it, and then what is left`()
    async throws
  {
    let log = MemoryLog(9)
    try await log.setCursor(of: EventConsumer(name: consumer), to: 2)
    log.dropEvents(through: 7)
    try await serve(log) { socket, path in
      let subscriber = try await StreamSocket.connect(toPath: path)
      var text = ""
      while text.count(where: { $0 == "\n" }) < 3 {
        text += String(decoding: try #require(try await subscriber.read()), as: UTF8.self)
      }
      let lines = text.split(separator: "\n")
      #expect(lines[0] == #"{"lagged":{"events":5,"first":3,"last":7}}"#)
      #expect(
        try lines.dropFirst().map { try CanonicalJSON.decode(Event.self, from: $0.utf8).sequence }
          == [8, 9])
      try await log.kept.wait(after: 8)
      #expect(socket.isConnected(user: getuid()))
      #expect(!socket.isConnected(user: getuid() + 1))
    }
  }

  @Test func `is held up by no subscriber that never reads`() async throws {
    let log = MemoryLog()
    try await serve(log) { _, path in
      let idle = try await StreamSocket.connect(toPath: path)
      var busy = try await Subscriber(path)
      // Both begin at the beginning: else the one starts where the other has come to.
      try await log.asked.wait(after: 1)
      // Far more than the socket's buffers hold.
      log.append(6000, padding: 100)
      #expect(try await busy.events(6000).map(\.sequence) == Array(1...6000))
      // The place of the slowest counts.
      #expect(log.cursor(consumer) ?? 0 < 6000)
      withExtendedLifetime(idle) {}
    }
  }

  @Test func `turns away whoever is too many, and takes the next when one has left`() async throws {
    let log = MemoryLog()
    try await serve(log, maximumConnections: 2) { socket, path in
      var first = try await Subscriber(path)
      do {
        let second = try await StreamSocket.connect(toPath: path)
        while socket.connections < 2 { await Task.yield() }
        var third = try await Subscriber(path)
        #expect(try await third.events(1) == [])
        withExtendedLifetime(second) {}
      }
      while socket.connections > 1 { await Task.yield() }
      var fourth = try await Subscriber(path)
      // The first, the second and the fourth: only the third was turned away.
      try await log.asked.wait(after: 2)
      log.append(1)
      #expect(try await first.events(1).map(\.sequence) == [1])
      #expect(try await fourth.events(1).map(\.sequence) == [1])
    }
  }

  @Test func `turns away whoever is too many, though all come at once`() async throws {
    let log = MemoryLog()
    let gate = SequenceSignal(latest: 0)
    log.holdCursors(until: gate)
    try await serve(log, maximumConnections: 2) { socket, path in
      var sockets: [StreamSocket] = []
      for _ in 0..<5 { sockets.append(try await StreamSocket.connect(toPath: path)) }
      // The last three are closed while nobody knows yet where the first two go on.
      for refused in sockets.dropFirst(2) { #expect(try await refused.read() == []) }
      #expect(socket.connections == 2)
      gate.announce(1)
      try await log.asked.wait(after: 1)
      log.append(1)
      for taken in sockets.prefix(2) { #expect(try #require(try await taken.read()).last == 10) }
    }
  }

  @Test func `cuts off who takes nothing, and goes on with what it didn't read`() async throws {
    let log = MemoryLog(3)
    try await serve(log, patience: .milliseconds(300)) { socket, path in
      let idle = try await StreamSocket.connect(toPath: path)
      try await log.asked.wait(after: 0)
      try await wait(for: "end of who takes nothing") { socket.connections == 0 }
      #expect(log.cursor(consumer) == nil)
      withExtendedLifetime(idle) {}
    }
    try await serve(log) { _, path in
      var next = try await Subscriber(path)
      #expect(try await next.events(3).map(\.sequence) == [1, 2, 3])
    }
  }

  @Test func `tells again what a subscriber left unread`() async throws {
    let log = MemoryLog(3)
    try await serve(log) { socket, path in
      do {
        let hasty = try await StreamSocket.connect(toPath: path)
        try await log.asked.wait(after: 0)
        withExtendedLifetime(hasty) {}
      }
      while socket.connections > 0 { await Task.yield() }
      #expect(log.cursor(consumer) == nil)
      var second = try await Subscriber(path)
      #expect(try await second.events(3).map(\.sequence) == [1, 2, 3])
      try await log.kept.wait(after: 2)
    }
  }

  @Test func `sends a line until that was read, and keeps the place behind it`()
    async throws
  {
    let log = MemoryLog(600)
    try await serve(log) { socket, path in
      var next: Int64 = 1
      // Each reads one line, however it is cut up, and a bit of what comes next, and leaves.
      for size in [65_536, 100, 1] {
        do {
          let slow = try await StreamSocket.connect(toPath: path)
          var line: [UInt8] = []
          while line.last != 10 { line += try #require(try await slow.read(atMost: size)) }
          #expect(try CanonicalJSON.decode(Event.self, from: line.dropLast()).sequence == next)
          try await log.kept.wait(after: next - 1)
          next += 1
          #expect(try #require(try await slow.read(atMost: 10)).count == 10)
        }
        while socket.connections > 0 { await Task.yield() }
        #expect(log.cursor(consumer) == next - 1)
      }
      var last = try await Subscriber(path)
      let rest = Int(600 - next + 1)
      #expect(try await last.events(rest).map(\.sequence) == Array(next...600))
    }
  }

  @Test func `sends more each time to who looks now and then`() async throws {
    let log = MemoryLog(600)
    let events = try await log.events(after: 0, for: EventConsumer(name: "test"), limit: 600).events
    // However late the looks come.
    try await serve(log, promptness: .seconds(600)) { _, path in
      let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
      let descriptor = socket(AF_UNIX, kind, 0)
      defer { close(descriptor) }
      let isConnected = try withUnixAddress(path) { connect(descriptor, $0, $1) } == 0
      try #require(isConnected)
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      var rest = events[...]
      // Twice as many lines as were read in time the last time, up to 128.
      for count in [1, 2, 4, 8, 16, 32, 64, 128, 128, 128, 89] {
        let size = rest.prefix(count).reduce(0) { $0 + $1.body.utf8.count + 1 }
        rest = rest.dropFirst(count)
        // It looks when all is there that is sent before.
        try await wait(for: "\(count) lines") {
          recv(descriptor, &bytes, bytes.count, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) >= size
        }
        let read = recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        #expect(read == size)
      }
    }
  }

  @Test func `keeps the place of each user for itself`() async throws {
    guard getuid() == 0 else { try Test.cancel("only root hears of another user's events") }
    let log = MemoryLog()
    log.append(2, user: 4242)
    try await serve(log) { _, path in
      var root = try await Subscriber(path)
      #expect(try await root.events(2).map(\.transition.key.monitor.user) == [4242, 4242])
      try await log.kept.wait(after: 1)
      #expect(log.cursor("events-socket/0") == 2)
      #expect(log.cursor("events-socket/4242") == nil)
    }
  }

  @Test func `reads once when the newest numbers are of nobody's events, and then waits`()
    async throws
  {
    let log = MemoryLog(3)
    log.dropEvents(through: 3)
    try await serve(log) { _, path in
      let subscriber = try await StreamSocket.connect(toPath: path)
      while log.reads == 0 { await Task.yield() }
      // Whoever reads again and again has its turns meanwhile.
      for _ in 0..<1000 { await Task.yield() }
      #expect(log.reads == 1)
      withExtendedLifetime(subscriber) {}
    }
  }
}
