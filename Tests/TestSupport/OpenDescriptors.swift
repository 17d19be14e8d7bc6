import Foundation

/// What the descriptors of a process lead to, by their numbers; those of this process without its number.
package func openDescriptors(of process: Int32? = nil) throws -> [Int32: String] {
  let table = "/proc/\(process.map(String.init) ?? "self")/fd"
  let files = FileManager.default
  var targets: [Int32: String] = [:]
  for name in try files.contentsOfDirectory(atPath: table) {
    // That of the reading itself is gone by now.
    guard let target = try? files.destinationOfSymbolicLink(atPath: "\(table)/\(name)") else {
      continue
    }
    targets[Int32(name) ?? -1] = target
  }
  return targets
}
