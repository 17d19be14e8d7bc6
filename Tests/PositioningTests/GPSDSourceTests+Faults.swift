import LinuxSystem
import Positioning
import Synchronization
import TestSupport
import Testing

/// What a source makes of a gpsd at fault.
extension `A gpsd source` {
  /// What a gpsd can do to a client, and what the client says about it.
  enum Fault: String, CaseIterable, Sendable {
    case neverAnswers, otherService, closesInMidLine, resets, endlessLine, hangs, hasNoReceiver,
      refuses

    var reason: String {
      switch self {
      case .neverAnswers:
        "gpsd accepted the connection but doesn't answer: is it starting, or hanging?"
      case .otherService: "what answers there isn't gpsd: it didn't say VERSION"
      case .closesInMidLine: "gpsd closed the connection"
      case .resets: "the connection to gpsd broke: Connection reset by peer"
      case .endlessLine: "what answers there doesn't speak like gpsd"
      case .hangs: "gpsd doesn't answer: is it hanging?"
      case .hasNoReceiver: ReceiverStatus.silence(of: [])
      case .refuses: "gpsd refused: Unrecognized request"
      }
    }

    var isSilence: Bool { self == .hangs || self == .hasNoReceiver }

    func play(to client: GPSDFake.Client) async throws {
      let socket = client.socket
      switch self {
      case .neverAnswers:
        break
      case .otherService:
        try await socket.write(Array("220 mail.example.org ESMTP\r\n".utf8))
      case .closesInMidLine:
        try await client.greet()
        try await socket.write(GPSDLines.tpv(1) + GPSDLines.tpv(2).prefix(20))
        return
      case .resets:
        try await client.greet()
        client.resetWhenClosed()
        return
      case .endlessLine:
        try await client.greet()
        let piece = Array(repeating: UInt8(ascii: "x"), count: 65_536)
        // Until the client has enough of it.
        while true { try await socket.write(piece) }
      case .hangs:
        try await client.greet()
      case .hasNoReceiver:
        try await socket.write(GPSDLines.banner)
        while let request = try await socket.read(), !request.isEmpty {
          try await socket.write(GPSDLines.noDevices)
        }
        return
      case .refuses:
        try await client.greet()
        try await socket.write(
          GPSDLines.line(#"{"class":"ERROR","message":"Unrecognized request"}"#))
      }
      try await client.waitForEnd()
    }
  }

  @Test(arguments: Fault.allCases)
  func `says what is wrong and comes back`(fault: Fault) async throws {
    var settings = fake.settings
    if fault == .neverAnswers || fault == .otherService { settings.bannerTimeout = .seconds(1) }
    if fault.isSilence { settings.silence = .seconds(1) }
    let source = GPSDSource(settings)
    let isTold = Mutex(false)
    let events = await events(
      of: source,
      until: { event in
        if event.disconnection == fault.reason { isTold.withLock { $0 = true } }
        return event.latitude == 40.009
      },
      while: { fake in
        // On a busy machine what is well may be given up too: the fault lasts until it is told.
        while true {
          let client = try await fake.accept()
          if isTold.withLock({ $0 }) {
            try? await client.greet()
            try? await client.socket.write(GPSDLines.tpv(9))
            try? await client.waitForEnd()
          } else {
            try? await fault.play(to: client)
          }
        }
      })
    #expect(isTold.withLock { $0 })
    #expect(source.statistics.failures >= 1)
    #expect(events.last?.latitude == 40.009)
    if fault.isSilence { #expect(events.contains(.silent)) }
    if fault == .closesInMidLine {
      #expect(events.compactMap(\.latitude) == [40.001, 40.009])
      let lost = try #require(events.firstIndex { $0.disconnection == fault.reason })
      #expect(events[lost - 1] == .epochComplete(of: "/dev/gps0"))
    }
  }

  @Test func `stays longer and longer with a gpsd that has no receiver`() async throws {
    var settings = fake.settings
    settings.silence = .milliseconds(50)
    let source = GPSDSource(settings)
    let silences = Atomic(0)
    let began = ContinuousClock.now
    _ = await events(
      of: source,
      until: { event in
        guard event.disconnection == Fault.hasNoReceiver.reason else { return false }
        return silences.add(1, ordering: .relaxed).newValue == 3
      },
      while: { fake in
        while true {
          let client = try await fake.accept()
          try? await Fault.hasNoReceiver.play(to: client)
        }
      })
    // Each was silent and then waited, for once, twice and four times as long.
    #expect(began.duration(to: .now) >= settings.silence * (3 + 1 + 2 + 4))
  }

  @Test func `comes again as soon after each silence of a gpsd that is well`() async throws {
    var settings = fake.settings
    settings.silence = .milliseconds(10)
    settings.shortestDelay = .seconds(1)
    let clock = ManualClock()
    let source = GPSDSource(settings, clock: clock, random: { 1 })
    let last = LastReason()
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask {
        for await event in source {
          if let reason = event.disconnection { last.text.withLock { $0 = reason } }
        }
      }
      group.addTask { [fake] in
        // Until the test is over.
        while let client = try? await fake.accept() {
          try? await Fault.hasNoReceiver.play(to: client)
        }
      }
      var silences = 0
      while silences < 3 {
        await clock.waitForSleepers(1)
        // A machine that stops for a moment makes it look as if gpsd didn't answer.
        if last.text.withLock({ $0 }) == Fault.hasNoReceiver.reason {
          #expect(clock.deadlines == [clock.now.advanced(by: .seconds(1))])
          silences += 1
        }
        guard let deadline = clock.deadlines.first else { continue }
        clock.advance(by: clock.now.duration(to: deadline))
      }
      group.cancelAll()
    }
  }
}

/// Why a source was lost the last time.
private final class LastReason: Sendable {
  let text = Mutex(String?.none)
}
