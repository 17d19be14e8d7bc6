import CLinux

/// One run of the machine, from when it was switched on.
package enum MachineBoot {
  /// Which one this is; nil where the system doesn't say.
  package static var id: String? {
    if let bytes = try? FileContents.read("/proc/sys/kernel/random/boot_id", maximumBytes: 100) {
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
    // A service may see nothing but processes in /proc (ProcSubset=pid). Linux draws a number for each file
    // system that is in memory, and /run is one that is made anew with each boot.
    return idOfMemory(at: "/run")
  }

  /// The number of a file system in memory; nil where it is on a disk, or Linux is older than 5.13.
  package static func idOfMemory(at path: String) -> String? {
    let number = unsafe linux_memory_file_system(path)
    return number == 0 ? nil : "run-" + String(number, radix: 16)
  }
}
