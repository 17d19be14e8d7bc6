package import LinuxSystem

extension FileContents {
  /// A number of `/proc/PID/status`, as proc(5) names it, in its unit there; nil where it isn't told.
  ///
  /// - Parameter process: its identifier; "self" is this one's.
  package static func processStatus(_ field: String, of process: String = "self") -> Int? {
    let text = (try? read("/proc/\(process)/status", maximumBytes: 1 << 16)) ?? []
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(field + ":") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}
