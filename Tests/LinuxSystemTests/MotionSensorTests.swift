import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import LinuxSystem

/// Waiting for motion.
@Suite(.timeLimit(.minutes(10))) struct MotionSensorTests {
  private let tree: SysfsTree
  private let clock = ManualClock()

  init() throws { tree = try SysfsTree() }

  /// The numbers of <linux/iio/types.h>.
  private enum Code {
    static let acceleration: UInt64 = 3
    static let activity: UInt64 = 19
    static let steps: UInt64 = 20
    static let thresh: UInt64 = 0
    static let mag: UInt64 = 1
    static let magAdaptive: UInt64 = 4
    static let change: UInt64 = 5
    static let gesture: UInt64 = 7
    static let either: UInt64 = 0
    static let rising: UInt64 = 1
    static let falling: UInt64 = 2
    static let none: UInt64 = 3
    static let singleTap: UInt64 = 4
    static let walking: UInt64 = 29
    static let still: UInt64 = 30
  }

  /// Waits until a file holds a text.
  private func wait(for text: String, in path: String) async throws {
    try await TestSupport.wait(for: text) { try tree.read(path) == text }
  }

  // MARK: Events

  @Test func `a device that can't be waited for is told of`() async throws {
    // epoll takes no regular files.
    let file = try FileDescriptor.open("/proc/self/exe", O_RDONLY)
    let queue = MotionEventQueue(adopting: file, of: "/dev/iio:device0")
    await #expect(throws: MotionSensorError(.cannotBeOpened(Errno(EPERM)), "/dev/iio:device0")) {
      try await queue.wait(for: .step)
    }
  }

  @Test func `an event ends the wait, and the switch is on only meanwhile`() async throws {
    try tree.add(0, "bmi323", ["events/in_accel_mag_adaptive_rising_en": "0\n"])
    let path = tree.path(0, "events/in_accel_mag_adaptive_rising_en")
    let sensor = try #require(try tree.find())
    let pipe = try EventPipe()
    let queue = Mutex(try pipe.queue() as MotionEventQueue?)
    let waiting = Task { [clock] in
      try await sensor.waitForMotion(clock: clock) { path throws(MotionSensorError) in
        #expect(path == tree.deviceRoot + "/iio:device0")
        return try take(queue)
      }
    }
    try await wait(for: "1\n", in: path)
    pipe.send(channel: Code.acceleration, type: Code.magAdaptive, direction: Code.rising)
    try await waiting.value
    #expect(try tree.read(path) == "0\n")
  }

  @Test func `the events that are counted out don't end the wait`() async throws {
    let pipe = try EventPipe()
    pipe.send(channel: Code.acceleration, type: Code.magAdaptive, direction: Code.falling)
    pipe.send(
      channel: Code.activity, modifier: Code.still, type: Code.change, direction: Code.none)
    pipe.send(channel: 40, type: Code.change, direction: Code.none)
    let queue = try pipe.queue()
    // What ends it is the end of the descriptor, after all of them were read.
    finish(pipe)
    await #expect(throws: MotionSensorError(.ended, "/dev/iio:device0")) {
      try await queue.wait(for: .walking)
    }
  }

  @Test func `neither stillness, a tap, a threshold, steps nor a magnitude end the wait`()
    async throws
  {
    let pipe = try EventPipe()
    pipe.send(channel: Code.acceleration, type: Code.magAdaptive, direction: Code.falling)
    pipe.send(channel: Code.acceleration, type: Code.gesture, direction: Code.singleTap)
    pipe.send(channel: Code.acceleration, type: Code.thresh, direction: Code.either)
    pipe.send(channel: Code.steps, type: Code.change, direction: Code.none)
    pipe.send(channel: Code.acceleration, type: Code.mag, direction: Code.rising)
    let queue = try pipe.queue()
    finish(pipe)
    await #expect(throws: MotionSensorError(.ended, "/dev/iio:device0")) {
      try await queue.wait(for: .accelerationAgainstRest)
    }
  }

  @Test func `walking is told by its own event`() async throws {
    let pipe = try EventPipe()
    pipe.send(
      channel: Code.activity, modifier: Code.still, type: Code.change, direction: Code.none)
    pipe.send(
      channel: Code.activity, modifier: Code.walking, type: Code.change, direction: Code.none)
    try await pipe.queue().wait(for: .walking)
  }

  @Test func `half an event is an error`() async throws {
    let pipe = try EventPipe()
    pipe.send(bytes: [UInt8](repeating: 0, count: 24))
    let queue = try pipe.queue()
    await #expect(throws: MotionSensorError(.ended, "/dev/iio:device0")) {
      try await queue.wait(for: .step)
    }
  }

  @Test func `a sensor that goes away ends the wait`() async throws {
    // What can only be written fails to be read as soon as nobody is at its other end.
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    let descriptor = FileDescriptor(adopting: ends[1])
    close(ends[0])
    let queue = MotionEventQueue(adopting: descriptor, of: "/dev/iio:device0")
    await #expect(throws: MotionSensorError(.ended, "/dev/iio:device0")) {
      try await queue.wait(for: .step)
    }
  }

  @Test func `cancelling a wait turns everything off again`() async throws {
    try tree.add(
      0, "mma8452",
      ["events/in_accel_x_mag_rising_en": "0\n", "events/in_accel_y_mag_rising_en": "1\n"])
    let (x, y) = (
      tree.path(0, "events/in_accel_x_mag_rising_en"),
      tree.path(0, "events/in_accel_y_mag_rising_en")
    )
    let sensor = try #require(try tree.find())
    let pipe = try EventPipe()
    let queue = Mutex(try pipe.queue() as MotionEventQueue?)
    let waiting = Task { [clock] in
      try await sensor.waitForMotion(clock: clock) { _ throws(MotionSensorError) in
        try take(queue)
      }
    }
    try await wait(for: "1\n", in: x)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try tree.read(x) == "0\n")
    // It was on before.
    #expect(try tree.read(y) == "1\n")
    withExtendedLifetime(pipe) {}
  }

  @Test func `what was turned on before a failure is turned off`() async throws {
    guard let unwritable = SysfsTree.unwritableSwitch else {
      try Test.cancel("this kernel has no file that holds 0 and can't be written")
    }
    try tree.add(
      0, "mma8452",
      ["events/in_accel_x_mag_rising_en": "0\n", "events/in_accel_y_mag_rising_en": "0\n"])
    let (x, y) = (
      tree.path(0, "events/in_accel_x_mag_rising_en"),
      tree.path(0, "events/in_accel_y_mag_rising_en")
    )
    let sensor = try #require(try tree.find())
    try tree.link(y, to: unwritable)
    let pipe = try EventPipe()
    let queue = Mutex(try pipe.queue() as MotionEventQueue?)
    await #expect(throws: MotionSensorError(.cannotBeEnabled(.permissionDenied), y)) {
      try await sensor.waitForMotion(clock: clock) { _ throws(MotionSensorError) in
        try take(queue)
      }
    }
    #expect(try tree.read(x) == "0\n")
    withExtendedLifetime(pipe) {}
  }

  @Test func `a file that is no device is told so, and nothing is turned on`() async throws {
    try tree.add(0, "bmi323", ["events/in_accel_mag_adaptive_rising_en": "0\n"])
    let sensor = try #require(try tree.find())
    await #expect(
      throws: MotionSensorError(
        .cannotBeOpened(Errno(ENOTTY)), tree.deviceRoot + "/iio:device0")
    ) { try await sensor.waitForMotion(clock: clock) }
    #expect(try tree.read(tree.path(0, "events/in_accel_mag_adaptive_rising_en")) == "0\n")
  }

  // MARK: Steps

  @Test func `steps end the wait within two seconds`() async throws {
    try tree.add(0, "bmi160", ["in_steps_input": "65530\n", "in_steps_en": "0\n"])
    let (input, enable) = (tree.path(0, "in_steps_input"), tree.path(0, "in_steps_en"))
    let sensor = try #require(try tree.find())
    let waiting = Task { [clock] in try await sensor.waitForMotion(clock: clock) }
    await clock.waitForSleepers(1)
    #expect(try tree.read(enable) == "1\n")
    // Nothing, then an overflow, then a reset: none of them is a step.
    for reading in ["65530", "3", "0", "0"] {
      try tree.write(input, reading)
      clock.advance(by: .seconds(2))
      await clock.waitForSleepers(1)
    }
    try tree.write(input, "1")
    clock.advance(by: .seconds(2))
    try await waiting.value
    #expect(try tree.read(enable) == "0\n")
  }

  @Test func `a counter that becomes unreadable ends the wait with the reason`() async throws {
    try tree.add(0, "bmi160", ["in_steps_input": "1", "in_steps_en": "0"])
    let (input, enable) = (tree.path(0, "in_steps_input"), tree.path(0, "in_steps_en"))
    let sensor = try #require(try tree.find())
    let waiting = Task { [clock] in try await sensor.waitForMotion(clock: clock) }
    await clock.waitForSleepers(1)
    try FileManager.default.removeItem(atPath: input)
    clock.advance(by: .seconds(2))
    await #expect(throws: MotionSensorError(.unreadable(.system(.noSuchFile)), input)) {
      try await waiting.value
    }
    #expect(try tree.read(enable) == "0")
  }

  @Test func `cancelling turns a counter off`() async throws {
    try tree.add(0, "bmi160", ["in_steps_input": "1", "in_steps_en": "0"])
    let sensor = try #require(try tree.find())
    let waiting = Task { [clock] in try await sensor.waitForMotion(clock: clock) }
    await clock.waitForSleepers(1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try tree.read(tree.path(0, "in_steps_en")) == "0")
  }
}

/// Takes the queue that a test has laid ready.
private func take(
  _ queue: borrowing Mutex<MotionEventQueue?>
) throws(MotionSensorError) -> MotionEventQueue {
  let taken = queue.withLock { $0.take() }
  guard let taken else { throw MotionSensorError(.ended, "taken before") }
  return taken
}

private func finish(_ pipe: consuming EventPipe) {}
