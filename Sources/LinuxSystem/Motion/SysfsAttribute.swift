import CLinux
import Glibc

/// One file of sysfs: a short text that is read, and sometimes written.
///
/// Nothing in it is believed: drivers, and whoever lays out such a tree, write what they like.
struct SysfsAttribute: Sendable, Hashable {
  /// The longest text: the kernel gives an attribute one page.
  static let maximumBytes = 4_096

  /// The most entries of a folder that are looked at.
  static let maximumEntries = 1_024

  let path: String

  /// The text, without the white space at its end.
  ///
  /// - Throws: `unreadable`.
  func text() throws(MotionSensorError) -> String {
    do {
      let bytes = try FileContents.read(path, maximumBytes: Self.maximumBytes)
      let isBlank = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") }
      let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
      return String(decoding: bytes[..<end], as: UTF8.self)
    } catch {
      throw MotionSensorError(.unreadable(error), path)
    }
  }

  /// The text as a count: decimal digits and nothing else.
  ///
  /// - Throws: `unreadable`, `notACount`.
  func count() throws(MotionSensorError) -> Int {
    let text = try text()
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard text.utf8.count <= 19, text.utf8.allSatisfy(isDigit), let count = Int(text) else {
      throw MotionSensorError(.notACount, path)
    }
    return count
  }

  /// Whether a switch is on.
  ///
  /// - Throws: `unreadable`, `notASwitch`.
  func isOn() throws(MotionSensorError) -> Bool {
    switch try text() {
    case "0": false
    case "1": true
    default: throw MotionSensorError(.notASwitch, path)
    }
  }

  /// Sets a switch.
  ///
  /// - Throws: `cannotBeEnabled`, with what the kernel or the driver says.
  func set(_ on: Bool) throws(MotionSensorError) {
    do throws(Errno) {
      let file = try FileDescriptor.open(path, O_WRONLY | O_NONBLOCK)
      var byte = UInt8(ascii: on ? "1" : "0")
      _ = try retryingOnInterrupt { unsafe write(file.rawValue, &byte, 1) }
    } catch {
      throw MotionSensorError(.cannotBeEnabled(error), path)
    }
  }

  /// Whether it could be written now, as far as rights go; on a read-only file system nothing can.
  ///
  /// - Throws: `cannotBeEnabled`.
  func checkWritable() throws(MotionSensorError) {
    guard unsafe access(path, W_OK) == 0 else {
      throw MotionSensorError(.cannotBeEnabled(.last), path)
    }
  }

  /// The names in a folder, some thousand at most, in no order; none when there is no such folder.
  ///
  /// - Throws: `unreadable`.
  static func names(in folder: String) throws(MotionSensorError) -> [String] {
    guard let directory = unsafe opendir(folder) else {
      let error = Errno.last
      if error == .noSuchFile || error == Errno(ENOTDIR) { return [] }
      throw MotionSensorError(.unreadable(.system(error)), folder)
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while names.count < maximumEntries, let entry = unsafe readdir(directory) {
      if let name = unsafe linux_entry_name(entry) {
        names.append(unsafe String(cString: name))
      }
    }
    return names
  }
}
