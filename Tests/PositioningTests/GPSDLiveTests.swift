import Foundation
import Geofencing
import Positioning
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A gpsd source with the real gpsd` {
  private func settings(port: Int) -> GPSDSettings {
    var settings = GPSDSettings.patient(port: port)
    settings.shortestDelay = .milliseconds(10)
    settings.longestDelay = .milliseconds(100)
    return settings
  }

  private func isDevices(_ event: SourceEvent) -> Bool {
    if case .devices(let names) = event { !names.isEmpty } else { false }
  }

  /// Whether an event is a report of the epoch with this number.
  private func isEpoch(_ number: Int) -> (SourceEvent) -> Bool {
    { abs(($0.latitude ?? 0) - 50 - Double(number) / 100_000) < 1e-7 }
  }

  @Test func `tells every epoch in order`() async throws {
    let gpsd = try GPSDProcess.orCancel()
    defer { gpsd.stop() }
    let source = GPSDSource(settings(port: gpsd.port))
    var events = source.makeAsyncIterator()
    let greeting = await events.events(until: isDevices)
    guard case .connected(let name)? = greeting.first else {
      throw TestFailure("gpsd didn't greet: \(greeting)")
    }
    #expect(name.hasPrefix("gpsd 3."))
    try await gpsd.feed((0..<200).flatMap { nmeaEpoch($0) })
    let reports = await events.events(until: isEpoch(199)).compactMap(\.latitude)
    #expect(reports == reports.sorted())
    #expect(Set(reports.map { Int((($0 - 50) * 100_000).rounded()) }) == Set(0..<200))
    let rest = await events.events { if case .epochComplete = $0 { true } else { false } }
    guard case .epochComplete(_?) = rest.last else {
      throw TestFailure("the last epoch isn't complete: \(rest)")
    }
    #expect(source.statistics.undecodableLines == 0)
    #expect(source.statistics.failures == 0)
  }

  /// What gpsd tells of the sentences of a hundred epochs, and the fixes that come of it.
  private func pass(
    _ sentences: [UInt8]
  ) async throws -> (received: [SourceEvent], fixes: [Location]) {
    let gpsd = try GPSDProcess.orCancel()
    defer { gpsd.stop() }
    var events = GPSDSource(settings(port: gpsd.port)).makeAsyncIterator()
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    _ = await events.events(until: isDevices).compactMap { pipeline.process($0) }
    try await gpsd.feed(sentences)
    let received = await events.events(until: isEpoch(99))
    return (received, received.compactMap { pipeline.process($0)?.location })
  }

  @Test(arguments: [false, true])
  func `goes by the errors that the receiver tells before a position, or after it`(isFirst: Bool)
    async throws
  {
    let (_, fixes) = try await pass(
      (0..<100).flatMap { number in
        let sentences = nmeaEpoch(number)
        let time = String(decoding: sentences.split(separator: UInt8(ascii: ","))[1], as: UTF8.self)
        let errors = Array((nmea("GPGST,\(time),0.9,,,,0.014,0.012,0.021") + "\r\n").utf8)
        return isFirst ? errors + sentences : sentences + errors
      })
    #expect(fixes.count > 90)
    let radius = (0.000_196 / 2 + 0.000_144 / 2).squareRoot() * 1.509_592_1
    // How many reports an epoch has is known from the ninth on.
    for fix in fixes.dropFirst(10) {
      #expect(abs((fix.horizontalAccuracy ?? 0) - radius) < 1e-9, "\(fix)")
      #expect(fix.verticalAccuracy == 0.021)
    }
  }

  @Test func `knows that a speed is gpsd's where the receiver tells none`() async throws {
    let (received, fixes) = try await pass(
      (0..<100).flatMap { number in
        let time = "000\(number / 50)\(number % 50 + 10).00"
        let north = String(format: "50%09.6f", Double(number) * 60 / 100_000)
        let sentence = nmea("GPRMC,\(time),A,\(north),N,00330.000000,W,,,010326,,,A")
        return Array("\(sentence)\r\n".utf8)
      })
    let speeds = received.compactMap { event in
      if case .tpv(let report) = event { report.speed } else { nil as Double? }
    }
    #expect(speeds.count > 90)
    #expect(fixes.count > 90)
    #expect(fixes.dropFirst(25).allSatisfy { $0.speed == nil })
  }

  @Test func `feeds location updates`() async throws {
    let gpsd = try GPSDProcess.orCancel()
    defer { gpsd.stop() }
    let source = GPSDSource(settings(port: gpsd.port))
    let update = await withTaskGroup { group in
      group.addTask {
        // What comes before somebody watches is lost, so it goes on until it is cancelled.
        for number in 0... where (try? await gpsd.feed(nmeaEpoch(number))) == nil { break }
      }
      let update = await LocationUpdates(source).first { $0.location != nil }
      group.cancelAll()
      return update
    }
    let location = try #require(update?.location)
    #expect(abs(location.coordinate.longitude + 3.5) < 1e-6)
    #expect(50..<60 ~= location.coordinate.latitude)
  }

  @Test func `comes back when gpsd was killed and starts again`() async throws {
    let gpsd = try GPSDProcess.orCancel()
    defer { gpsd.stop() }
    let source = GPSDSource(settings(port: gpsd.port))
    var events = source.makeAsyncIterator()
    _ = await events.events(until: isDevices)
    for round in 0..<3 {
      try await gpsd.feed((0..<20).flatMap { nmeaEpoch(round * 20 + $0) })
      _ = await events.events(until: isEpoch(round * 20 + 19))
      gpsd.kill(SIGKILL)
      let loss = await events.events { $0.disconnection != nil }
      #expect(loss.last?.disconnection != nil)
      let refusal = await events.events { $0.disconnection != nil }
      #expect(
        refusal.last?.disconnection
          == "gpsd at 127.0.0.1:\(gpsd.port) can't be reached: Connection refused")
      try gpsd.restart()
      _ = await events.events(until: isDevices)
    }
    #expect(source.statistics.connections == 4)
  }

  @Test func `leaves a gpsd that hangs, and comes back when it goes on`() async throws {
    let gpsd = try GPSDProcess.orCancel()
    defer { gpsd.stop() }
    var settings = settings(port: gpsd.port)
    settings.silence = .seconds(4)
    settings.bannerTimeout = .seconds(2)
    var events = GPSDSource(settings).makeAsyncIterator()
    _ = await events.events(until: isDevices)
    gpsd.kill(SIGSTOP)
    // On a busy machine a gpsd that is well may be given up first.
    let loss = await events.events { $0 == .disconnected("gpsd doesn't answer: is it hanging?") }
    #expect(loss.contains(.silent))
    // The kernel still connects in gpsd's name.
    let next = await events.events { $0.disconnection != nil }
    #expect(
      next == [
        .disconnected(
          "gpsd accepted the connection but doesn't answer: is it starting, or hanging?")
      ])
    gpsd.kill(SIGCONT)
    await withTaskGroup { group in
      group.addTask {
        // What comes before somebody watches is lost, so it goes on until it is cancelled.
        for number in 0... where (try? await gpsd.feed(nmeaEpoch(number))) == nil { break }
      }
      let reports = await events.events { $0.latitude != nil }
      #expect(reports.last?.latitude != nil)
      group.cancelAll()
    }
  }

  @Test(arguments: [["-n"], []])
  func `hears of a receiver that was unplugged and comes back`(options: [String]) async throws {
    guard GPSDPluggableReceiver.isPossible else {
      try Test.cancel("gpsd is missing or may not open a pseudo-terminal")
    }
    let receiver = try GPSDPluggableReceiver(options: options)
    defer { receiver.stop() }
    // It is patient for longer than the test may take: only what gpsd tells brings the reports back.
    let source = GPSDSource(settings(port: receiver.port))
    var events = source.makeAsyncIterator()
    let isReport = { (event: SourceEvent) in event.latitude != nil }
    let isGone = { (event: SourceEvent) in event == .devices([]) }

    let first = await events.events(until: isReport)
    #expect(first.contains(.devices([receiver.name])))
    let failuresAtFirst = source.statistics.failures
    for _ in 0..<2 {
      try await receiver.unplug()
      _ = await events.events(until: isGone)
      try await receiver.plugIn()
      let again = await events.events(until: isReport)
      #expect(again.contains(.devices([receiver.name])))
    }
    #expect(source.statistics.failures == failuresAtFirst)
    #expect(source.statistics.connections == 1)
  }

  @Test func `says that there is no receiver, and finds it when it is plugged in`() async throws {
    guard GPSDPluggableReceiver.isPossible else {
      try Test.cancel("gpsd is missing or may not open a pseudo-terminal")
    }
    let receiver = try GPSDPluggableReceiver(options: ["-n"])
    defer { receiver.stop() }
    var settings = settings(port: receiver.port)
    // gpsd itself needs about a second to open a receiver and know it.
    settings.silence = .seconds(5)
    let source = GPSDSource(settings)
    var events = source.makeAsyncIterator()
    _ = await events.events { $0.latitude != nil }
    try await receiver.unplug()
    let loss = await events.events {
      $0 == .disconnected(ReceiverStatus.silence(of: []))
    }
    #expect(loss.contains(.silent))
    _ = await events.events(until: \.isConnected)
    try await receiver.plugIn()
    let again = await events.events { $0.latitude != nil }
    #expect(again.last?.latitude != nil)
  }
}
