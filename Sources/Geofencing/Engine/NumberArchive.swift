/// Numbers in a row, of 64 bits each, as they are stored: a list of fields writes them, and the same list reads
/// them.
struct NumberArchive {
  private var words: [UInt64] = []

  /// Which number is read next; nil while they are written.
  private var next: Int?

  /// Whether all that was read so far can be what was written.
  private var isValid = true

  /// Which of the values of a row are there, one bit each, and that of the next one.
  private var presence: UInt64 = 0
  private var bit: UInt64 = 1

  /// An archive to write about so many words to.
  private init(capacity: Int) { words.reserveCapacity(capacity) }

  /// An archive to read from.
  private init(reading words: [UInt64]) {
    self.words = words
    next = 0
  }

  /// Whether all was read, and can be what was written.
  private var isReadThrough: Bool { isValid && next == words.count }

  /// The words of some fields.
  ///
  /// - Parameters:
  ///   - form: says which fields there are, and in which order; another number with other ones.
  ///   - capacity: about how many words they are.
  ///   - fields: exchanges them.
  static func words(
    form: UInt64, capacity: Int = 64, _ fields: (inout NumberArchive) -> Void
  ) -> [UInt64] {
    var archive = NumberArchive(capacity: capacity)
    var form = form
    archive.exchange(&form)
    fields(&archive)
    return archive.words
  }

  /// Reads some fields; false when the words can't be theirs.
  static func read(
    _ words: [UInt64], form: UInt64, _ fields: (inout NumberArchive) -> Void
  ) -> Bool {
    var archive = NumberArchive(reading: words)
    var found: UInt64 = 0
    archive.exchange(&found)
    guard found == form else { return false }
    fields(&archive)
    return archive.isReadThrough
  }

  mutating func exchange(_ word: inout UInt64) {
    guard let place = next else { return words.append(word) }
    guard place < words.count else {
      isValid = false
      return
    }
    word = words[place]
    next = place + 1
  }

  /// A number, which is finite.
  mutating func exchange(_ value: inout Double) {
    guard next != nil else { return words.append(value.bitPattern) }
    var word: UInt64 = 0
    exchange(&word)
    value = Double(bitPattern: word)
    if !value.isFinite {
      isValid = false
      value = 0
    }
  }

  /// A number from 0 to some other; a greater one is written as that.
  mutating func exchange(_ value: inout Int, upTo most: Int) {
    var word = UInt64(clamping: min(value, most))
    exchange(&word)
    if word > UInt64(clamping: most) { isValid = false }
    value = min(Int(clamping: word), most)
  }

  mutating func exchange(_ value: inout Bool) {
    var number = value ? 1 : 0
    exchange(&number, upTo: 1)
    value = number == 1
  }

  mutating func exchange(_ time: inout Timestamp) {
    var word = UInt64(bitPattern: time.nanoseconds)
    exchange(&word)
    time = Timestamp(nanoseconds: Int64(bitPattern: word))
  }

  mutating func exchange(_ coordinate: inout Coordinate) {
    var (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    exchange(&latitude)
    exchange(&longitude)
    guard let checked = Coordinate(latitude: latitude, longitude: longitude) else {
      isValid = false
      return
    }
    coordinate = checked
  }

  mutating func exchange(_ vector: inout Vector) {
    exchange(&vector.east)
    exchange(&vector.north)
  }

  /// What may be missing.
  ///
  /// - Parameters:
  ///   - blank: what its fields are read into.
  ///   - fields: exchanges them.
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

  mutating func exchange(_ value: inout Double?) {
    exchange(&value, into: 0) { $1.exchange(&$0) }
  }

  mutating func exchange(_ value: inout Bool?) {
    exchange(&value, into: false) { $1.exchange(&$0) }
  }

  mutating func exchange(_ time: inout Timestamp?) {
    exchange(&time, into: Timestamp(nanoseconds: 0)) { $1.exchange(&$0) }
  }

  // MARK: Rows

  /// Some values, up to 64, any of which may be missing: a word says which ones are there.
  ///
  /// Values are added behind the last one, so that what an older program wrote can be read.
  mutating func exchange(row values: (inout NumberArchive) -> Void) {
    let place = words.count
    var presence: UInt64 = 0
    exchange(&presence)
    (self.presence, bit) = (presence, 1)
    values(&self)
    if next == nil {
      words[place] = self.presence
    } else if presence & ~(bit &- 1) != 0 {
      isValid = false
    }
  }

  /// The next value of a row.
  mutating func exchange<Value>(
    inRow value: inout Value?, into blank: Value,
    _ field: (inout NumberArchive, inout Value) -> Void
  ) {
    defer { bit &<<= 1 }
    if next == nil {
      guard var there = value else { return }
      presence |= bit
      field(&self, &there)
    } else {
      value = nil
      guard presence & bit != 0 else { return }
      var there = blank
      field(&self, &there)
      value = there
    }
  }

  mutating func exchange(inRow value: inout Double?) {
    // Most values are of this kind, and the general way takes four times as long.
    guard next == nil else { return exchange(inRow: &value, into: 0) { $0.exchange(&$1) } }
    if let value {
      presence |= bit
      words.append(value.bitPattern)
    }
    bit &<<= 1
  }

  mutating func exchange(inRow time: inout Timestamp?) {
    exchange(inRow: &time, into: Timestamp(nanoseconds: 0)) { $0.exchange(&$1) }
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
    guard next != nil else { return append(text.utf8.prefix(count)) }
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
      words.append(word)
      (word, shift) = (0, 0)
    }
    if shift > 0 { words.append(word) }
  }
}
