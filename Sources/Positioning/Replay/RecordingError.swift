package import LinuxSystem

/// Why a recording can't be played.
package enum RecordingError: Error, Hashable, CustomStringConvertible {
  /// The file can't be opened or read; the system says why.
  case unreadable(path: String, Errno)

  /// The path is a directory.
  case directory(path: String)

  /// The file has no bytes.
  case empty(path: String)

  /// The file is compressed, and read from its beginning that makes no sense.
  case compressed(path: String, Compression)

  /// Neither gpsd's JSON nor NMEA 0183 nor XML is among the file's first lines.
  case unknownFormat(path: String)

  /// Most of the lines can't be read, and nothing in the others is a position.
  case unreadableLines(path: String)

  package var description: String {
    switch self {
    case .unreadable(let path, .noSuchFile):
      "\(path): there is no such file; name a recording, or - for standard input"
    case .unreadable(let path, let error):
      "\(path): can't be read: \(error)"
    case .directory(let path):
      "\(path): is a directory; name one recording in it"
    case .empty(let path):
      "\(path): is empty; record with 'gpspipe -w' (JSON) or 'gpspipe -r' (NMEA 0183)"
    case .compressed(let path, let compression): "\(path): \(compression.advice)"
    case .unknownFormat(let path):
      "\(path): is neither gpsd's JSON ('gpspipe -w') nor NMEA 0183 ('gpspipe -r') nor GPX"
    case .unreadableLines(let path):
      "\(path): most lines can't be read, as a receiver's binary data can't; "
        + "record with 'gpspipe -w' or 'geofenced ctl record'"
    }
  }
}
