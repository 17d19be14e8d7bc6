package import LinuxSystem

extension FileContents {
  /// A number in `/proc/PID/status`, by its name in proc(5), and in the unit used there; nil if it isn't there.
  ///
  /// - Parameter process: The process id; "self" is this process.
  package static func processStatus(_ field: String, of process: String = "self") -> Int? {
    let text = (try? read("/proc/\(process)/status", maximumBytes: 1 << 16)) ?? []
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(field + ":") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}
