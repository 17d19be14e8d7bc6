import Foundation

/// The targets of the open descriptors of a process, by number; nil is this process.
package func openDescriptors(of process: Int32? = nil) throws -> [Int32: String] {
  let table = "/proc/\(process.map(String.init) ?? "self")/fd"
  let files = FileManager.default
  var targets: [Int32: String] = [:]
  for name in try files.contentsOfDirectory(atPath: table) {
    // The descriptor that was used to read the table is closed by now.
    guard let target = try? files.destinationOfSymbolicLink(atPath: "\(table)/\(name)") else {
      continue
    }
    targets[Int32(name) ?? -1] = target
  }
  return targets
}
