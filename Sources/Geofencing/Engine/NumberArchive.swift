/// Fields as a row of 64-bit numbers for storing: one function with a list of fields both writes and reads them.
///
/// An event waits while it is written. So writing is inlined, and memory for all of it is taken at once.
@safe
struct NumberArchive {
  /// The numbers that are read; empty while writing.
  private let words: [UInt64]

  /// Where numbers are written; empty while reading.
  private let room: UnsafeMutableBufferPointer<UInt64>
  private let isReading: Bool

  /// How many numbers were read or written so far, including those for which there was no room.
  private var count = 0

  /// Whether all that was read so far makes sense.
  private var isValid = true

  /// Which values of the present row exist, one bit each, and the bit of the next value.
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

  /// Writes some fields.
  ///
  /// - Parameters:
  ///   - form: the version of the format, which has to change with the fields and their order.
  ///   - capacity: about how many numbers they take.
  ///   - fields: writes them; it is called again if they take more.
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

  /// Reads some fields; false if the numbers can't be those of such fields.
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

  /// The next number; 0 if there is none.
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

  /// Writes or reads a finite number.
  @inline(__always)
  mutating func exchange(_ value: inout Double) {
    if isReading { value = readNumber() } else { write(value.bitPattern) }
  }

  /// Writes or reads a number from 0 to `most`; a greater one is written as `most`.
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

  /// Writes or reads a value that may be missing.
  ///
  /// - Parameters:
  ///   - blank: the value into which the fields are read.
  ///   - fields: writes or reads its fields.
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

  /// Writes or reads a row of up to 64 values, any of which may be missing: a number says which ones exist.
  ///
  /// New values are added at the end, so that what an older program wrote can still be read.
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

  /// Writes or reads the next value of a row.
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

  /// Writes or reads one of some values by its place among them; new ones are added at the end.
  mutating func exchange<Value: Equatable>(_ value: inout Value, among all: [Value]) {
    var place = all.firstIndex(of: value) ?? 0
    exchange(&place, upTo: all.count - 1)
    value = all[place]
  }

  /// Writes or reads a short text.
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

  /// Writes bytes, eight to a number, the first one least significant.
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
