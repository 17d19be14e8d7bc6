import Foundation
import Glibc
import Testing

@testable import LinuxSystem

/// Which of the devices of industrial I/O is taken for a motion sensor.
@Suite(.timeLimit(.minutes(10))) struct MotionSensorDiscoveryTests {
  private let tree: SysfsTree

  init() throws { tree = try SysfsTree() }

  @Test func `a machine without industrial IO has none`() throws {
    #expect(try tree.find() == nil)
  }

  @Test func `devices that don't tell of motion are none`() throws {
    try tree.add(0, "als", ["in_illuminance_raw": "4"])
    try tree.add(
      1, "accel",
      ["in_accel_x_raw": "4", "events/in_accel_x_thresh_either_en": "0\n", "events/x": "1"])
    #expect(try tree.find() == nil)
  }

  @Test(
    arguments: [
      ("in_activity_significant_motion_change_en", .significantMotion),
      ("in_accel_mag_adaptive_rising_en", .accelerationAgainstRest),
      ("in_accel_x|y|z_mag_adaptive_rising_en", .accelerationAgainstRest),
      ("in_accel_x&y&z_mag_referenced_rising_en", .accelerationAgainstReference),
      ("in_accel_x|y|z_roc_rising_en", .accelerationChange),
      ("in_accel_y_roc_either_en", .accelerationChange),
      ("in_accel_mag_rising_en", .acceleration),
      ("in_accel_z_mag_rising_en", .acceleration),
      ("in_activity_walking_thresh_rising_en", .walking),
      ("in_activity_change_en", .walking),
      ("in_steps_change_en", .step),
      ("in_accel_x&y&z_mag_falling_en", nil),
      ("in_accel_x&y&z_mag_adaptive_falling_en", nil),
      ("in_accel_x_thresh_rising_en", nil),
      ("in_accel_gesture_singletap_en", nil),
      ("in_activity_still_thresh_rising_en", nil),
      ("in_anglvel_x_roc_rising_en", nil),
      ("in_voltage0_roc_rising_en", nil),
      ("in_accel_mag_rising_value", nil),
      ("in_accel_adaptive_rising_en", nil),
      ("in_accel_rising_en", nil),
      ("in_rising_en", nil),
      ("in__en", nil),
      ("in_en", nil),
      ("_en", nil),
      ("", nil),
      (String(repeating: "in_accel_mag_rising_en", count: 10), nil),
    ] as [(String, MotionEventKind?)])
  func `a switch's name says whether it tells of motion`(name: String, kind: MotionEventKind?) {
    #expect(MotionEventKind(switchName: name) == kind)
  }

  @Test func `events of a device come before its steps, and better ones before others`() throws {
    try tree.add(0, "pedo", ["in_steps_input": "17\n", "in_steps_en": "0\n"])
    #expect(try tree.find()?.description == "step counter of pedo (iio:device0)")
    try tree.add(3, "mma8452", ["events/in_accel_x_mag_rising_en": "0\n"])
    #expect(try tree.find()?.description == "acceleration events of mma8452 (iio:device3)")
    try tree.add(
      10, "bmi323",
      ["events/in_accel_mag_adaptive_rising_en": "0\n", "events/in_steps_change_en": "0\n"])
    #expect(try tree.find()?.description == "any-motion events of bmi323 (iio:device10)")
    try tree.add(2, "adxl345", ["events/in_accel_x|y|z_mag_adaptive_rising_en": "0\n"])
    #expect(try tree.find()?.description == "any-motion events of adxl345 (iio:device2)")
    try tree.add(11, "ec", ["events/in_activity_significant_motion_change_en": "0\n"])
    #expect(try tree.find()?.description == "significant-motion events of ec (iio:device11)")
  }

  @Test func `all axes of a kind are turned on together`() throws {
    try tree.add(
      0, "mma8452",
      [
        "events/in_accel_x_mag_rising_en": "0\n", "events/in_accel_y_mag_rising_en": "0\n",
        "events/in_accel_z_mag_rising_en": "0\n", "events/in_accel_x&y&z_mag_falling_en": "0\n",
      ])
    let sensor = try #require(try tree.find())
    #expect(
      sensor.source
        == .events(
          .acceleration,
          switches: "xyz".map {
            SysfsAttribute(path: tree.path(0, "events/in_accel_\($0)_mag_rising_en"))
          }, device: tree.deviceRoot + "/iio:device0"))
  }

  @Test func `a name can't harm the terminal`() throws {
    try tree.add(0, "\u{1B}[31mbad\u{7}\n\u{202E}name" + String(repeating: "x", count: 100))
    try tree.write(tree.path(0, "in_steps_input"), "0")
    #expect(
      try tree.find()?.description
        == "step counter of [31mbadname\(String(repeating: "x", count: 21)) (iio:device0)")
    try FileManager.default.removeItem(atPath: tree.path(0, "name"))
    #expect(try tree.find()?.description == "step counter of a nameless device (iio:device0)")
  }

  @Test func `only the kernel's names of devices count, and not too many`() throws {
    try tree.add(0, "light")
    let devices = tree.root + "/bus/iio/devices"
    for name in ["iio:device", "iio:device01", "iio:device-1", "iio:device1234567", "trigger0"] {
      try FileManager.default.copyItem(
        atPath: tree.root + "/devices/platform/iio:device0", toPath: "\(devices)/\(name)")
      try tree.write("\(devices)/\(name)/in_steps_input", "1")
    }
    #expect(try tree.find() == nil)
    for number in 1...64 { try tree.add(number, "pedo", ["in_steps_input": "1"]) }
    try tree.add(70, "best", ["events/in_accel_mag_adaptive_rising_en": "0"])
    #expect(try tree.find()?.description == "step counter of pedo (iio:device1)")
  }

  @Test(arguments: [
    "", "\n", "x", "12x", "-1", "+1", "1 2", "0x10", "1.5", "٣", "99999999999999999999",
    String(repeating: "1", count: 4000),
  ])
  func `a step counter that holds something else is refused`(text: String) throws {
    try tree.add(0, "pedo", ["in_steps_input": text])
    let path = tree.path(0, "in_steps_input")
    let error = try #require(throws: MotionSensorError.self) { try tree.find() }
    #expect(error == MotionSensorError(.notACount, path))
    #expect("\(error)" == "can't be used: \(path) doesn't hold a count")
  }

  @Test(arguments: ["", "2", "yes", "00", "1\n1"])
  func `a switch that is neither on nor off is refused`(text: String) throws {
    try tree.add(0, "acc", ["events/in_accel_mag_rising_en": text])
    let path = tree.path(0, "events/in_accel_mag_rising_en")
    #expect(throws: MotionSensorError(.notASwitch, path)) { try tree.find() }
  }

  @Test func `a file without an end, a pipe, a folder and a circle of links are refused`() throws {
    let path = tree.path(0, "in_steps_input")
    try tree.add(0, "pedo", ["in_steps_input": String(repeating: "1", count: 5000)])
    #expect(
      throws: MotionSensorError(.unreadable(.tooLarge(maximumBytes: 4096)), path)
    ) { try tree.find() }
    try FileManager.default.removeItem(atPath: path)
    try #require(mkfifo(path, 0o600) == 0)
    #expect(throws: MotionSensorError(.unreadable(.notRegular), path)) { try tree.find() }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let error = #expect(throws: MotionSensorError.self) { try tree.find() }
    #expect(error.map { "\($0)" } == "can't be read: \(path): a directory")
    try tree.link(path, to: path)
    #expect(throws: MotionSensorError(.unreadable(.system(Errno(ELOOP))), path)) {
      try tree.find()
    }
    let devices = tree.root + "/bus/iio/devices"
    try tree.link(devices + "/iio:device1", to: "iio:device1")
    try tree.add(2, "pedo", ["in_steps_input": "5"])
    #expect(try tree.find()?.description == "step counter of pedo (iio:device2)")
  }

  @Test func `a sensor that can't be enabled is told with file and reason`() throws {
    guard let unwritable = SysfsTree.unwritableSwitch else {
      try Test.cancel("this kernel has no file that holds 0 and can't be written")
    }
    try tree.add(0, "bmi160", ["in_steps_input": "5"])
    let path = tree.path(0, "in_steps_en")
    try tree.link(path, to: unwritable)
    let error = try #require(throws: MotionSensorError.self) { try tree.find() }
    #expect(error == MotionSensorError(.cannotBeEnabled(.permissionDenied), path))
    #expect("\(error)" == "can't be enabled: \(path): Permission denied")

    // Another one that can is taken, even if it is less good.
    try tree.add(1, "other", ["in_steps_input": "5", "in_steps_en": "0"])
    #expect(try tree.find()?.description == "step counter of other (iio:device1)")
    try FileManager.default.removeItem(atPath: tree.path(1, "in_steps_input"))

    // One that a rule of udev has turned on needs no right.
    try FileManager.default.removeItem(atPath: path)
    try tree.write(path, "1\n")
    #expect(try tree.find() != nil)
  }

  @Test func `events need the device's file`() throws {
    try tree.add(0, "bmi323", ["events/in_accel_mag_adaptive_rising_en": "0\n"])
    let device = tree.deviceRoot + "/iio:device0"
    try FileManager.default.removeItem(atPath: device)
    let error = try #require(throws: MotionSensorError.self) { try tree.find() }
    #expect("\(error)" == "can't be opened: \(device): No such file or directory")
    // Steps of the same device are the next best.
    try tree.write(tree.path(0, "in_steps_input"), "0\n")
    #expect(try tree.find()?.description == "step counter of bmi323 (iio:device0)")
  }
}
