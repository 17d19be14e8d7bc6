import Glibc

/// A write-ahead log as it lies on the disk (https://sqlite.org/fileformat2.html#walformat).
///
/// SQLite reads it up to the first frame that isn't valid, and says nothing of what is behind that: where the
/// power failed, this is the commit that nobody was told of yet.
package enum WriteAheadLog {
  /// What is wrong with a log of which commits are lost that were durable; nil where none are, or there is none.
  ///
  /// A megabyte takes less than a millisecond. What can't be read is SQLite's to tell.
  package static func damage(in path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    // SQLite holds no locks by this file, which the closing would end.
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: headerSize)
    var frame = [UInt8](repeating: 0, count: frameHeaderSize)
    guard read(&bytes, of: file, at: 0), read(&frame, of: file, at: headerSize),
      var chain = Chain(header: bytes, firstFrame: frame)
    else { return nil }
    let isHeaderSpoilt = chain.firstInvalid == 0
    bytes = [UInt8](repeating: 0, count: frameHeaderSize + chain.pageSize)
    var offset = headerSize
    while read(&bytes, of: file, at: offset) {
      if chain.losesCommit(with: bytes) {
        return isHeaderSpoilt
          ? "the header of the write-ahead log isn't valid, and what was committed in it is lost"
          : "frame \(chain.firstInvalid ?? 0) of the write-ahead log isn't valid, and what was "
            + "committed from there on is lost"
      }
      offset += bytes.count
    }
    return nil
  }

  /// The frames up to some place, and whether they hang together.
  private struct Chain {
    let pageSize: Int
    private let isBigEndian: Bool

    /// The salts that make a frame one of this log, and not one that is left of what the log was before; those of the
    /// last frame where the header doesn't say them.
    private var salts: UInt64
    private let hasHeader: Bool

    /// What stands as checksum in the header or the last frame: the next frame's goes on from that.
    private var checksum: UInt64

    private var frames = 0

    /// The number of the first frame that isn't valid, 0 of the header; nil while all are.
    private(set) var firstInvalid: Int?

    /// How many frames the transaction has so far, of those behind one that isn't valid.
    private var pages = 0

    /// Whether the last frame ended a transaction that is synced before another frame is written.
    private var isEndOfSynced = false

    /// Nil where the header isn't valid, and is what a power cut has left of its writing.
    init?(header: [UInt8], firstFrame: [UInt8]) {
      let magic = word(of: header, at: 0)
      let (size, isBigEndian) = (Int(word(of: header, at: 8)), magic & 1 == 1)
      hasHeader =
        magic & ~1 == 0x377f_0682 && (512...65_536).contains(size) && size & (size - 1) == 0
        && WriteAheadLog.checksum(of: header[..<24], after: 0, isBigEndian)
          == words(of: header, at: 24)
      guard hasHeader else {
        // Without it nothing counts. Before it is overwritten, all behind it is in the database, and the first salt
        // that it gets then is one more than that of the frames. Else the disk has spoilt it.
        let isTorn =
          magic & ~1 == 0x377f_0682
          && word(of: header, at: 16) == word(of: firstFrame, at: 8) &+ 1
        guard !isTorn else { return nil }
        (pageSize, self.isBigEndian) = (4096, 1.bigEndian == 1)
        (salts, checksum, firstInvalid) = (0, 0, 0)
        return
      }
      (pageSize, self.isBigEndian) = (size, isBigEndian)
      salts = words(of: header, at: 16)
      checksum = words(of: header, at: 24)
    }

    /// Takes the next frame; says whether a commit is lost that was durable.
    mutating func losesCommit(with frame: [UInt8]) -> Bool {
      frames += 1
      let stored = words(of: frame, at: 16)
      let found = words(of: frame, at: 8)
      let isValid =
        found == salts && word(of: frame, at: 0) > 0
        && WriteAheadLog.checksum(
          of: frame[frameHeaderSize...],
          after: WriteAheadLog.checksum(of: frame[..<8], after: checksum, isBigEndian), isBigEndian)
          == stored
      checksum = stored
      if !hasHeader { salts = found }
      guard isValid else {
        firstInvalid = firstInvalid ?? frames
        (pages, isEndOfSynced) = (0, false)
        return false
      }
      guard firstInvalid != nil else { return false }
      // A power cut may leave all of the last commit but a frame, and nothing behind it. What was written before is on
      // the disk, except for places alone (``Connection/runUnsynced(_:_:)``): each is a transaction of one page.
      if isEndOfSynced { return true }
      pages += 1
      if word(of: frame, at: 4) > 0 { (pages, isEndOfSynced) = (0, pages > 1) }
      return false
    }
  }

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Fills some bytes with those of a file; false where it hasn't so many.
  private static func read(_ bytes: inout [UInt8], of file: CInt, at offset: Int) -> Bool {
    unsafe pread(file, &bytes, bytes.count, off_t(offset)) == bytes.count
  }

  /// A number of a header.
  private static func word(of bytes: [UInt8], at offset: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: words(of: bytes, at: offset) >> 32)
  }

  /// Two of them, the first in the upper half.
  private static func words(of bytes: [UInt8], at offset: Int) -> UInt64 {
    unsafe bytes.withUnsafeBytes {
      UInt64(bigEndian: unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// The checksum of some bytes, a multiple of eight, that goes on from another.
  static func checksum(
    of bytes: ArraySlice<UInt8>, after checksum: UInt64, _ isBigEndian: Bool
  ) -> UInt64 {
    var first = UInt32(truncatingIfNeeded: checksum >> 32)
    var second = UInt32(truncatingIfNeeded: checksum)
    unsafe bytes.withUnsafeBytes { bytes in
      func number(at offset: Int) -> UInt32 {
        let number = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: number) : UInt32(littleEndian: number)
      }
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        first &+= number(at: offset) &+ second
        second &+= number(at: offset + 4) &+ first
      }
    }
    return UInt64(first) << 32 | UInt64(second)
  }
}
