import Foundation
import LinuxSystem

/// A new folder for one test's sockets.
func temporaryFolder() throws -> String {
  var template = Array("/tmp/geofenced-systemd-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw Errno.last }
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}
