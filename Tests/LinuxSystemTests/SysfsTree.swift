import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

/// A sysfs of a test's own, with the devices of industrial I/O that it lays out, and their files in
/// `/dev`.
final class SysfsTree: Sendable {
  private let folder: TemporaryFolder

  /// Where sysfs is.
  var root: String { folder.path + "/sys" }

  /// Where the files of devices are.
  var deviceRoot: String { folder.path + "/dev" }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: deviceRoot, withIntermediateDirectories: true)
  }

  /// The path of a device's file.
  func path(_ number: Int, _ file: String) -> String {
    "\(root)/bus/iio/devices/iio:device\(number)/\(file)"
  }

  /// Lays out a device as the kernel does: a link to a folder elsewhere.
  func add(
    _ number: Int, _ name: String? = nil, _ files: [String: String] = [:]
  ) throws {
    let devices = root + "/bus/iio/devices"
    let place = root + "/devices/platform/iio:device\(number)"
    let manager = FileManager.default
    try manager.createDirectory(atPath: devices, withIntermediateDirectories: true)
    try manager.createDirectory(atPath: place + "/events", withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      atPath: devices + "/iio:device\(number)",
      withDestinationPath: "../../../devices/platform/iio:device\(number)")
    try write(deviceRoot + "/iio:device\(number)", "")
    if let name { try write(path(number, "name"), name + "\n") }
    for (file, text) in files { try write(path(number, file), text) }
  }

  func write(_ path: String, _ text: String) throws { try write(path, Data(text.utf8)) }

  func write(_ path: String, _ data: Data) throws {
    try data.write(to: URL(fileURLWithPath: path))
  }

  func read(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Puts a link in the place of a file.
  func link(_ path: String, to destination: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: destination)
  }

  func find() throws(MotionSensorError) -> MotionSensor? {
    try MotionSensor.find(root: root, deviceRoot: deviceRoot)
  }

  /// A file that holds 0 and that not even root may write.
  static let unwritableSwitch = [
    "/proc/sys/fs/aio-nr", "/proc/sys/fs/quota/drops", "/proc/sys/kernel/bootloader_version",
  ].first { path in
    (try? String(contentsOfFile: path, encoding: .utf8)) == "0\n" && access(path, W_OK) != 0
  }
}

/// The events of a device, sent by a test through a pipe.
struct EventPipe: ~Copyable {
  private let writing: LinuxSystem.FileDescriptor
  private let reading: CInt

  init() throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    reading = ends[0]
    writing = FileDescriptor(adopting: ends[1])
  }

  /// The end that is read, to be taken once.
  func queue() throws -> MotionEventQueue {
    let descriptor = FileDescriptor(adopting: reading)
    try descriptor.setNonBlocking()
    return MotionEventQueue(adopting: descriptor, of: "/dev/iio:device0")
  }

  /// Sends an event with the numbers of <linux/iio/types.h>.
  func send(channel: UInt64, modifier: UInt64 = 0, type: UInt64, direction: UInt64) {
    let code = type << 56 | direction << 48 | modifier << 40 | channel << 32
    var event = (code.littleEndian, UInt64(1_700_000_000_000_000_000))
    #expect(write(writing.rawValue, &event, 16) == 16)
  }

  func send(bytes: [UInt8]) {
    #expect(write(writing.rawValue, bytes, bytes.count) == bytes.count)
  }
}
