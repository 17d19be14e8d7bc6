import Foundation
import Geofencing
import LinuxSystem
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What the daemon makes of a motion sensor.
@Suite(.timeLimit(.minutes(10))) struct MotionHintsTests {
  private let clock = ManualClock()
  private let folder: TemporaryFolder
  private let configuration = ConfigurationStore(Configuration())
  private let hints: MotionHints
  /// Counts how often the settings were asked for.
  private let asked = SequenceSignal(latest: 0)

  private var device: String { folder.path + "/bus/iio/devices/iio:device0" }

  init() throws {
    folder = try TemporaryFolder()
    let (clock, configuration, asked) = (clock, configuration, asked)
    hints = MotionHints(
      settings: {
        asked.advance()
        return configuration.current.receiver
      }, sysfsRoot: folder.path, deviceRoot: folder.path,
      clock: DaemonClock(
        sleeping: clock, uptime: { clock.now.offset }, now: { Timestamp(nanoseconds: 0) }))
  }

  private func write(_ text: String, _ file: String) throws {
    try FileManager.default.createDirectory(
      atPath: device, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(device)/\(file)"))
  }

  private func addStepCounter() throws {
    try write("bmi160\n", "name")
    try write("7\n", "in_steps_input")
    try write("0\n", "in_steps_en")
  }

  private func turnOff() {
    var settings = configuration.current
    settings.receiver.usesMotionSensor = false
    configuration.replace(with: settings)
  }

  @Test func `the status says what there is`() async throws {
    #expect(await hints.description == nil)
    try addStepCounter()
    #expect(await hints.description == "step counter of bmi160 (iio:device0)")
    try write("many", "in_steps_input")
    #expect(
      await hints.description
        == "found, can't be used: \(device)/in_steps_input doesn't hold a count")
    turnOff()
    #expect(await hints.description == "turned off")
  }

  @Test func `steps are a hint`() async throws {
    try addStepCounter()
    let waiting = Task { [hints] in await hints.waitForMotion() }
    await clock.waitForSleepers(1)
    // As long as there are none, it listens on.
    clock.advance(by: .seconds(2))
    await clock.waitForSleepers(1)
    #expect(clock.deadlines == [clock.now.advanced(by: .seconds(2))])
    try write("9\n", "in_steps_input")
    clock.advance(by: .seconds(2))
    await waiting.value
  }

  @Test func `a sensor that is never still gives a hint every ten seconds`() async throws {
    try addStepCounter()
    for count in 1...3 {
      let began = clock.now
      let waiting = Task { [hints] in await hints.waitForMotion() }
      await clock.waitForSleepers(1)
      #expect(try String(contentsOfFile: "\(device)/in_steps_en", encoding: .utf8) == "1\n")
      try write("\(7 + count)\n", "in_steps_input")
      clock.advance(by: .seconds(2))
      if count > 1 {
        // It was heard of, and needn't be listened to until then.
        await clock.waitForSleepers(1)
        #expect(clock.deadlines == [began.advanced(by: .seconds(10))])
        #expect(try String(contentsOfFile: "\(device)/in_steps_en", encoding: .utf8) == "0\n")
        clock.advance(by: .seconds(8))
      }
      await waiting.value
    }
  }

  @Test func `without a sensor, and when turned off, only cancelling ends the wait`() async throws {
    for isOff in [false, true] {
      if isOff {
        try addStepCounter()
        turnOff()
      }
      let returned = SequenceSignal(latest: 0)
      let before = asked.latest
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { [hints] in
          await hints.waitForMotion()
          returned.announce(1)
        }
        try await asked.wait(after: before)
        for _ in 0..<100 { await Task.yield() }
        #expect(returned.latest == 0)
        group.cancelAll()
      }
      #expect(returned.latest == 1)
    }
  }

  @Test func `a sensor that fails is tried again, and told`() async throws {
    try addStepCounter()
    let waiting = Task { [hints] in await hints.waitForMotion() }
    await clock.waitForSleepers(1)
    try write("garbage", "in_steps_input")
    clock.advance(by: .seconds(2))
    await clock.waitForSleepers(1)
    try write("100\n", "in_steps_input")
    #expect(
      await hints.description
        == """
        step counter of bmi160 (iio:device0), can't be used: \(device)/in_steps_input doesn't \
        hold a count
        """)
    clock.advance(by: .seconds(60))
    try await wait(for: "switch that is on") {
      try String(contentsOfFile: "\(device)/in_steps_en", encoding: .utf8) == "1\n"
    }
    await clock.waitForSleepers(1)
    try write("101\n", "in_steps_input")
    clock.advance(by: .seconds(2))
    await waiting.value
    #expect(await hints.description == "step counter of bmi160 (iio:device0)")
  }
}
