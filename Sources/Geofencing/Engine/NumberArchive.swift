/// Numbers in a row, of 64 bits each, as they are stored: a list of fields writes them, and the same list reads
/// them.
///
/// An event waits while it is written: so writing is inlined, and memory for all of it is taken at once.
@safe
struct NumberArchive {
  /// What is read.
  private let words: [UInt64]

  /// Where numbers are written; empty while they are read.
  private let room: UnsafeMutableBufferPointer<UInt64>
  private let isReading: Bool

  /// How many were read or written so far; more than there is room for aren't written.
  private var count = 0

  /// Whether all that was read so far can be what was written.
  private var isValid = true

  /// Which of the values of a row are there, one bit each, and that of the next one.
  private var presence: UInt64 = 0
  private var bit: UInt64 = 1

  /// An archive to write to.
  private init(room: UnsafeMutableBufferPointer<UInt64>) {
    unsafe self.room = unsafe room
    words = []
    isReading = false
  }

  /// An archive to read from.
  private init(reading words: [UInt64]) {
    unsafe room = UnsafeMutableBufferPointer(start: nil, count: 0)
    self.words = words
    isReading = true
  }

  /// The words of some fields.
  ///
  /// - Parameters:
  ///   - form: says which fields there are, and in which order; another number with other ones.
  ///   - capacity: about how many words they are.
  ///   - fields: exchanges them; once more where they are more than that.
  @inline(__always)
  static func words(
    form: UInt64, capacity: Int = 64, _ fields: (inout NumberArchive) -> Void
  ) -> [UInt64] {
    var capacity = capacity
    while true {
      var needed = 0
      let words = unsafe [UInt64](unsafeUninitializedCapacity: capacity) { room, count in
        var archive = unsafe NumberArchive(
          room: UnsafeMutableBufferPointer(start: room.baseAddress, count: capacity))
        archive.write(form)
        fields(&archive)
        needed = archive.count
        count = min(needed, capacity)
      }
      if needed <= capacity { return words }
      capacity = needed
    }
  }

  /// Reads some fields; false when the words can't be theirs.
  static func read(
    _ words: [UInt64], form: UInt64, _ fields: (inout NumberArchive) -> Void
  ) -> Bool {
    var archive = NumberArchive(reading: words)
    guard archive.read() == form, archive.isValid else { return false }
    fields(&archive)
    return archive.isValid && archive.count == words.count
  }

  @inline(__always)
  private mutating func write(_ word: UInt64) {
    if unsafe count < room.count { unsafe room[count] = word }
    count += 1
  }

  /// The next number; 0 where there is none.
  @inline(never)
  private mutating func read() -> UInt64 {
    guard count < words.count else {
      isValid = false
      return 0
    }
    defer { count += 1 }
    return words[count]
  }

  @inline(never)
  private mutating func readNumber() -> Double {
    let value = Double(bitPattern: read())
    if !value.isFinite { isValid = false }
    return value.isFinite ? value : 0
  }

  @inline(never)
  private mutating func readInteger(upTo most: Int) -> Int {
    let word = read()
    if word > UInt64(clamping: most) { isValid = false }
    return min(Int(clamping: word), most)
  }

  @inline(never)
  private mutating func readCoordinate() -> Coordinate? {
    let (latitude, longitude) = (readNumber(), readNumber())
    let checked = Coordinate(latitude: latitude, longitude: longitude)
    if checked == nil { isValid = false }
    return checked
  }

  @inline(__always)
  mutating func exchange(_ word: inout UInt64) {
    if isReading { word = read() } else { write(word) }
  }

  /// A number, which is finite.
  @inline(__always)
  mutating func exchange(_ value: inout Double) {
    if isReading { value = readNumber() } else { write(value.bitPattern) }
  }

  /// A number from 0 to some other; a greater one is written as that.
  @inline(__always)
  mutating func exchange(_ value: inout Int, upTo most: Int) {
    if isReading {
      value = readInteger(upTo: most)
    } else {
      value = max(0, min(value, most))
      write(UInt64(truncatingIfNeeded: value))
    }
  }

  @inline(__always)
  mutating func exchange(_ value: inout Bool) {
    if isReading { value = readInteger(upTo: 1) == 1 } else { write(value ? 1 : 0) }
  }

  @inline(__always)
  mutating func exchange(_ time: inout Timestamp) {
    if isReading {
      time = Timestamp(nanoseconds: Int64(bitPattern: read()))
    } else {
      write(UInt64(bitPattern: time.nanoseconds))
    }
  }

  @inline(__always)
  mutating func exchange(_ coordinate: inout Coordinate) {
    if isReading {
      coordinate = readCoordinate() ?? coordinate
    } else {
      write(coordinate.latitude.bitPattern)
      write(coordinate.longitude.bitPattern)
    }
  }

  @inline(__always)
  mutating func exchange(_ vector: inout Vector) {
    exchange(&vector.east)
    exchange(&vector.north)
  }

  /// What may be missing.
  ///
  /// - Parameters:
  ///   - blank: what its fields are read into.
  ///   - fields: exchanges them.
  @inline(__always)
  mutating func exchange<Value>(
    _ value: inout Value?, into blank: Value,
    _ fields: (inout Value, inout NumberArchive) -> Void
  ) {
    var isThere = value != nil
    exchange(&isThere)
    guard isThere else {
      value = nil
      return
    }
    var there = value ?? blank
    fields(&there, &self)
    value = there
  }

  @inline(__always)
  mutating func exchange(_ value: inout Double?) {
    exchange(&value, into: 0) { $1.exchange(&$0) }
  }

  mutating func exchange(_ value: inout Bool?) {
    exchange(&value, into: false) { $1.exchange(&$0) }
  }

  mutating func exchange(_ time: inout Timestamp?) {
    exchange(&time, into: .never) { $1.exchange(&$0) }
  }

  // MARK: Rows

  /// Some values, up to 64, any of which may be missing: a word says which ones are there.
  ///
  /// Values are added behind the last one, so that what an older program wrote can be read.
  @inline(__always)
  mutating func exchange(row values: (inout NumberArchive) -> Void) {
    let place = count
    var presence: UInt64 = 0
    exchange(&presence)
    (self.presence, bit) = (presence, 1)
    values(&self)
    if !isReading {
      if unsafe place < room.count { unsafe room[place] = self.presence }
    } else if presence & ~(bit &- 1) != 0 {
      isValid = false
    }
  }

  /// The next value of a row.
  @inline(__always)
  mutating func exchange<Value>(
    inRow value: inout Value?, into blank: Value,
    _ field: (inout Value, inout NumberArchive) -> Void
  ) {
    defer { bit &<<= 1 }
    if !isReading {
      guard var there = value else { return }
      presence |= bit
      field(&there, &self)
    } else {
      value = nil
      guard presence & bit != 0 else { return }
      var there = blank
      field(&there, &self)
      value = there
    }
  }

  @inline(__always)
  mutating func exchange(inRow value: inout Double?) {
    exchange(inRow: &value, into: 0) { $1.exchange(&$0) }
  }

  @inline(__always)
  mutating func exchange(inRow time: inout Timestamp?) {
    exchange(inRow: &time, into: .never) { $1.exchange(&$0) }
  }

  // MARK: Names

  /// One of some values, by its place among them; others are added at the end.
  mutating func exchange<Value: Equatable>(_ value: inout Value, among all: [Value]) {
    var place = all.firstIndex(of: value) ?? 0
    exchange(&place, upTo: all.count - 1)
    value = all[place]
  }

  /// A short text.
  mutating func exchange(_ text: inout String) {
    var count = text.utf8.count
    exchange(&count, upTo: Self.maximumTextBytes)
    guard isReading else { return append(text.utf8.prefix(count)) }
    var bytes: [UInt8] = []
    while bytes.count < count, isValid {
      var word: UInt64 = 0
      exchange(&word)
      for shift in stride(from: 0, to: 8 * min(8, count - bytes.count), by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  private static var maximumTextBytes: Int { 1_000 }

  /// Writes bytes, eight to a word, the first one least significant.
  private mutating func append(_ bytes: some Sequence<UInt8>) {
    var (word, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      word |= UInt64(byte) << shift
      shift += 8
      guard shift == 64 else { continue }
      write(word)
      (word, shift) = (0, 0)
    }
    if shift > 0 { write(word) }
  }
}
