import LinuxSystem

/// Reads a file in pieces and hands out its lines, which end in CR, LF or both.
///
/// It holds one piece and one line, whatever the size of the file. Lines that are too long are left
/// out and counted.
struct LineReader: ~Copyable {
  /// The lines that were longer than allowed.
  private(set) var overlongLines = 0
  /// Why the file couldn't be read to its end, if so.
  private(set) var failure: Errno?

  private let descriptor: FileDescriptor
  /// What was read and isn't handed out or cut into lines yet.
  private var piece: [UInt8]
  private var lines: FrameBuffer
  private var isAtEnd = false

  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  /// Reads on in a file of which some bytes were read already.
  init(_ descriptor: consuming FileDescriptor, after head: [UInt8], maximumLength: Int) {
    self.descriptor = descriptor
    piece = head
    lines = FrameBuffer(delimiter: Self.lineFeed, limit: maximumLength)
  }

  /// The next piece of the file, in place of lines; empty at its end.
  mutating func nextPiece() -> [UInt8] {
    if piece.isEmpty { readOn() }
    defer { piece = [] }
    return piece
  }

  /// The next line without its end, or nil after the last one; empty lines are left out.
  mutating func next() -> [UInt8]? {
    while true {
      switch lines.next() {
      case .frame(let line): if !line.isEmpty { return line }
      case .tooLong: overlongLines += 1
      case nil:
        guard !isAtEnd else { return nil }
        let piece = nextPiece()
        // The last line counts even where nothing ends it.
        lines.append(
          piece.isEmpty
            ? [Self.lineFeed] : piece.map { $0 == Self.carriageReturn ? Self.lineFeed : $0 })
      }
    }
  }

  private mutating func readOn() {
    do throws(Errno) {
      isAtEnd = try descriptor.readPiece(into: &piece) == 0
    } catch {
      failure = error
      isAtEnd = true
    }
  }
}
