import LinuxSystem

/// A recording that has been opened, and read as far as its format shows.
package struct RecordingFile: ~Copyable, Sendable {
  /// What the contents are.
  let format: Recording.Format
  /// Whether it can be opened again to be read from its beginning.
  let isRegular: Bool
  let descriptor: FileDescriptor
  /// What was read so far, from the beginning.
  let head: [UInt8]

  /// How far the format is looked for.
  private static let maximumHead = 1_048_576

  /// Opens a path, or standard input for `-`, and reads as far as the first valid line.
  package static func open(_ path: String) throws(RecordingError) -> RecordingFile {
    let file: FileDescriptor
    do throws(Errno) {
      file = try FileDescriptor.reading(path)
    } catch {
      throw .unreadable(path: path, error)
    }
    let kind = (try? FileStatus(descriptor: file.rawValue))?.kind
    guard kind != .directory else { throw .directory(path: path) }
    var head: [UInt8] = []
    let format = try findFormat(of: file, path: path, head: &head)
    return RecordingFile(format: format, isRegular: kind == .regular, descriptor: file, head: head)
  }

  private static func findFormat(
    of file: borrowing FileDescriptor, path: String, head: inout [UInt8]
  ) throws(RecordingError) -> Recording.Format {
    let decoder = GPSDDecoder()
    var lineStart = 0
    var isGreeted = false
    while head.count < maximumHead {
      let count: Int
      do throws(Errno) {
        count = try file.readPiece(into: &head)
      } catch {
        throw .unreadable(path: path, error)
      }
      if head.looksLikeXML { return .gpx }
      while lineStart < head.endIndex {
        let lineEnd = head[lineStart...].firstIndex { $0 == 0x0A || $0 == 0x0D }
        // What has no end yet is a line only when nothing more comes.
        guard lineEnd != nil || count == 0 else { break }
        let line = head[lineStart..<(lineEnd ?? head.endIndex)]
        if let message = decoder.decode(line.fromBrace.span) {
          guard message.isGreeting, !line.saysJSON else { return .gpsd }
          isGreeted = true
        } else if NMEAReader.isSentence(line) {
          return .nmea
        }
        lineStart = line.endIndex + 1
      }
      if count == 0 { break }
    }
    if isGreeted { return .gpsd }
    if let compression = Compression(beginning: head) {
      throw .compressed(path: path, compression)
    }
    throw head.isEmpty ? .empty(path: path) : .unknownFormat(path: path)
  }
}

extension GPSDMessage {
  /// Whether it is of those that gpsd begins with whatever it was asked for, as `gpspipe -r` writes too.
  fileprivate var isGreeting: Bool {
    switch self {
    case .version, .devices, .device, .watch: true
    case .tpv, .sky, .error, .other: false
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether gpsd says that reports come in JSON: beside them, sentences have been read already.
  fileprivate var saysJSON: Bool {
    String(decoding: self, as: UTF8.self).contains("\"json\":true")
  }
}

extension [UInt8] {
  /// Whether an XML text begins here, in whatever encoding.
  fileprivate var looksLikeXML: Bool {
    let ascii = prefix(64).filter { $0 != 0 && $0 < 0x80 }
    let text = String(decoding: ascii, as: UTF8.self).drop { $0.isWhitespace }
    guard text.first == "<" else { return false }
    if text.hasPrefix("<?xml") || text.hasPrefix("<!--") { return true }
    let name = text.dropFirst().prefix { !$0.isWhitespace && $0 != ">" }
    return name == "gpx" || name.hasSuffix(":gpx")
  }
}

extension ArraySlice<UInt8> {
  /// What is left without whatever stands before the brace that begins a message; empty without one.
  ///
  /// `gpspipe -t` puts the time there, `-R` what the receiver said, in which may be braces too.
  var fromBrace: ArraySlice<UInt8> {
    var rest = self
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      let inside = rest[(brace + 1)...]
      let first = inside.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if first.starts(with: "\"class\"".utf8) { return rest[brace...] }
      rest = inside
    }
    return []
  }
}
