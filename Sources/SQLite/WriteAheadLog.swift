import Glibc

/// The file of a write-ahead log (https://sqlite.org/fileformat2.html#walformat).
///
/// SQLite reads it up to the first frame that isn't valid, and doesn't tell what follows. After a power failure, that
/// is normally only the last commit, of which nobody was told yet.
package enum WriteAheadLog {
  /// The damage by which durable commits of a log are lost; nil if none are lost, or there is no log.
  ///
  /// A megabyte takes less than a millisecond. If the file can't be read, that is left to SQLite to report.
  package static func damage(in path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    // SQLite has no locks on this file, so closing it releases none.
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

  /// The chain of frames read so far, and whether it is unbroken.
  private struct Chain {
    let pageSize: Int
    private let isBigEndian: Bool

    /// The salts that a frame of this log has, unlike frames left over from before the log began anew.
    ///
    /// If the header isn't valid, these are the salts of the last frame.
    private var salts: UInt64
    private let hasHeader: Bool

    /// The checksum in the header or the last frame, from which the checksum of the next frame continues.
    private var checksum: UInt64

    private var frames = 0

    /// The number of the first frame that isn't valid, 0 for the header; nil while all are valid.
    private(set) var firstInvalid: Int?

    /// The number of valid frames of the current transaction, counted only after one that isn't valid.
    private var pages = 0

    /// Whether the last frame ended a transaction that was synced before another frame was written.
    private var isEndOfSynced = false

    /// Nil if the header isn't valid because a power failure interrupted its writing.
    init?(header: [UInt8], firstFrame: [UInt8]) {
      let magic = word(of: header, at: 0)
      let (size, isBigEndian) = (Int(word(of: header, at: 8)), magic & 1 == 1)
      hasHeader =
        magic & ~1 == 0x377f_0682 && (512...65_536).contains(size) && size & (size - 1) == 0
        && WriteAheadLog.checksum(of: header[..<24], after: 0, isBigEndian)
          == words(of: header, at: 24)
      guard hasHeader else {
        // Without a valid header no frame counts. A header is overwritten only when all frames are in the database.
        // Its first salt is then one more than that of the frames. With any other salt, the disk has damaged it.
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

    /// Takes the next frame; returns whether a durable commit is lost.
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
      // A power failure may leave all of the last commit but one frame, and nothing after it. What was written before
      // is on the disk, except updates of places alone (``Connection/runUnsynced(_:_:)``), transactions of one page.
      if isEndOfSynced { return true }
      pages += 1
      if word(of: frame, at: 4) > 0 { (pages, isEndOfSynced) = (0, pages > 1) }
      return false
    }
  }

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Fills an array with bytes of a file; false if the file is too short.
  private static func read(_ bytes: inout [UInt8], of file: CInt, at offset: Int) -> Bool {
    unsafe pread(file, &bytes, bytes.count, off_t(offset)) == bytes.count
  }

  /// A 32-bit number of a header.
  private static func word(of bytes: [UInt8], at offset: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: words(of: bytes, at: offset) >> 32)
  }

  /// Two 32-bit numbers of a header, the first in the upper half.
  private static func words(of bytes: [UInt8], at offset: Int) -> UInt64 {
    unsafe bytes.withUnsafeBytes {
      UInt64(bigEndian: unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// The checksum of some bytes, a multiple of eight, continued from another checksum.
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
