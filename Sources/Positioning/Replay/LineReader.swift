import LinuxSystem

/// Reads a file in chunks and hands out its lines, which end in CR, LF or both.
///
/// It holds one chunk and one line, whatever the size of the file. Lines that are too long are left
/// out and counted.
struct LineReader: ~Copyable {
  /// The lines that were longer than allowed.
  private(set) var overlongLines = 0
  /// Why the file couldn't be read to its end, if so.
  private(set) var failure: Errno?

  private let descriptor: FileDescriptor
  private let maximumLength: Int
  private var buffer: [UInt8]
  /// Where the next line begins.
  private var start = 0
  private var isAtEnd = false
  /// Whether the line that has begun is already too long.
  private var isSkipping = false

  /// Reads on in a file of which some bytes were read already.
  init(_ descriptor: consuming FileDescriptor, after head: [UInt8], maximumLength: Int) {
    self.descriptor = descriptor
    buffer = head
    self.maximumLength = maximumLength
  }

  /// The next piece of the file, in place of lines; empty at its end.
  mutating func nextPiece() -> [UInt8] {
    if buffer.isEmpty { readOn() }
    defer { buffer.removeAll(keepingCapacity: true) }
    return buffer
  }

  /// The next line without its end, or nil after the last one; empty lines are left out.
  ///
  /// The last line counts even where nothing ends it.
  mutating func next() -> ArraySlice<UInt8>? {
    var scanned = start
    while true {
      if let end = buffer[scanned...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
        let line = start..<end
        start = end + 1
        scanned = start
        if take(line) { return buffer[line] }
      } else if isAtEnd {
        let line = start..<buffer.endIndex
        start = buffer.endIndex
        return take(line) ? buffer[line] : nil
      } else {
        if buffer.endIndex - start > maximumLength {
          isSkipping = true
          start = buffer.endIndex
        }
        buffer.removeSubrange(..<start)
        start = 0
        scanned = buffer.endIndex
        readOn()
      }
    }
  }

  /// Takes a line; whether it is one to hand over.
  private mutating func take(_ line: Range<Int>) -> Bool {
    guard isSkipping || line.count > maximumLength else { return !line.isEmpty }
    isSkipping = false
    overlongLines += 1
    return false
  }

  private mutating func readOn() {
    do throws(Errno) {
      isAtEnd = try descriptor.readPiece(into: &buffer) == 0
    } catch {
      failure = error
      isAtEnd = true
    }
  }
}
