import Foundation
import Testing

@testable import SQLite

/// What is damage of a write-ahead log, and what a power cut leaves of one.
struct WriteAheadLogTests {
  private static let frameSize = 4120

  private let files: TemporaryDatabase
  private let connection: Connection

  init() throws {
    files = try TemporaryDatabase()
    connection = try files.open()
    try connection.useWriteAheadLog()
    try connection.execute(
      """
      PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;
      CREATE TABLE event (v); CREATE TABLE other (v); CREATE TABLE place (v);
      INSERT INTO place VALUES (0)
      """)
  }

  /// Commits transactions of two pages or more.
  private func commit(_ count: Int) throws {
    for _ in 0..<count {
      try connection.execute(
        """
        BEGIN; INSERT INTO event VALUES (zeroblob(2500));
        INSERT INTO other VALUES (random()); COMMIT
        """)
    }
  }

  private func log() throws -> Data { try Data(contentsOf: URL(filePath: files.path + "-wal")) }

  /// What is said of such a log.
  private func damage(_ log: Data) throws -> String? {
    let path = files.path + ".copy"
    try log.write(to: URL(filePath: path))
    return WriteAheadLog.damage(in: path)
  }

  /// Where the frames begin, with those that are left of before.
  private func frames(_ log: Data) -> [Int] {
    Array(stride(from: 32, through: log.count - Self.frameSize, by: Self.frameSize))
  }

  /// A log with one of its sectors spoilt.
  private func spoilt(_ log: Data, at offset: Int) -> Data {
    var log = log
    log.replaceSubrange(offset..<offset + 512, with: Data(repeating: 0xff, count: 512))
    return log
  }

  @Test(arguments: [true, false])
  func `a frame that isn't valid before a durable commit is damage`(isPage: Bool) throws {
    try commit(6)
    let log = try log()
    let frames = frames(log)
    #expect(frames.count > 20)
    // Of the last transactions it can't be told.
    for (index, offset) in frames.dropLast(10).enumerated() {
      let problem = try damage(spoilt(log, at: offset + (isPage ? 1000 : 0)))
      #expect(problem?.contains("frame \(index + 1) of the write-ahead log") == true)
    }
    let last = try #require(frames.last)
    #expect(try damage(spoilt(log, at: last + 1000)) == nil)
  }

  @Test func `a header that the disk has spoilt is damage, a half written one isn't`() throws {
    try commit(6)
    let old = try log()
    #expect(try damage(spoilt(old, at: 0))?.contains("the header of the write-ahead log") == true)
    for place in [0, 5, 8, 11, 13, 17, 22, 24, 31] {
      var flipped = old
      flipped[place] ^= 4
      #expect(try damage(flipped) != nil, "\(place)")
    }
    _ = try connection.query("PRAGMA wal_checkpoint(FULL)")
    try commit(1)
    let new = try log()
    #expect(new.count == old.count && new.prefix(32) != old.prefix(32))
    // Between the count of the headers and the salts, which are in one sector, it isn't told from a spoilt one.
    for count in 0...32 where !(16..<20).contains(count) {
      #expect(try damage(new.prefix(count) + old.dropFirst(count)) == nil)
    }
  }

  @Test(arguments: [false, true])
  func `what a power cut leaves is none, wherever it cuts`(hasOldFrames: Bool) throws {
    if hasOldFrames {
      try commit(12)
      _ = try connection.query("PRAGMA wal_checkpoint(FULL)")
    }
    try commit(5)
    let synced = try log()
    // These aren't synced one by one.
    for _ in 0..<4 { try connection.runUnsynced("UPDATE place SET v = v + 1", []) }
    try commit(1)
    let log = try log()
    #expect(try damage(log) == nil)
    for offset in frames(log) {
      for end in [offset, offset + 20, offset + 2000] {
        #expect(try damage(log.prefix(end)) == nil)
        #expect(try damage(log.prefix(end) + Data(count: log.count - end)) == nil)
      }
    }
    // Each frame behind the last sync may be there or not.
    let before = synced + Data(count: log.count - synced.count)
    let loose = frames(log).map { $0..<$0 + Self.frameSize }.filter { before[$0] != log[$0] }
    #expect(loose.count >= 6)
    for lost in stride(from: 1, to: 1 << loose.count, by: 3) {
      var torn = log
      for (index, range) in loose.enumerated() where lost & 1 << index != 0 {
        torn.replaceSubrange(range, with: before[range])
      }
      #expect(try damage(torn) == nil)
    }
  }

  @Test func `is read in either byte order, as SQLite reads it`() throws {
    try commit(6)
    var log = try log()
    // The other one than this machine's.
    log[3] ^= 1
    let isBigEndian = log[3] & 1 == 1
    func sum(_ range: Range<Int>, after checksum: UInt64) -> UInt64 {
      WriteAheadLog.checksum(of: Array(log[range])[...], after: checksum, isBigEndian)
    }
    func put(_ checksum: UInt64, at offset: Int) {
      withUnsafeBytes(of: checksum.bigEndian) {
        log.replaceSubrange(offset..<offset + 8, with: $0)
      }
    }
    var checksum = sum(0..<24, after: 0)
    put(checksum, at: 24)
    for offset in frames(log) {
      checksum = sum(
        offset + 24..<offset + Self.frameSize, after: sum(offset..<offset + 8, after: checksum))
      put(checksum, at: offset + 16)
    }
    #expect(try damage(log) == nil)
    #expect(try damage(spoilt(log, at: 5000)) != nil)
    let copy = try TemporaryDatabase()
    try Data(contentsOf: URL(filePath: files.path)).write(to: URL(filePath: copy.path))
    try log.write(to: URL(filePath: copy.path + "-wal"))
    #expect(try copy.open().query("SELECT count(*) FROM event") == [[6]])
  }
}
