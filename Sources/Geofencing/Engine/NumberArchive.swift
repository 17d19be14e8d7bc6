/// Numbers in a row, of 64 bits each, as they are stored: a list of fields writes them, and the same list reads
/// them.
struct NumberArchive {
  private(set) var words: [UInt64] = []

  /// Which number is read next; nil while they are written.
  private var next: Int?

  /// Whether all that was read so far can be what was written.
  private(set) var isValid = true

  /// An archive to write to.
  init() { words.reserveCapacity(64) }

  /// An archive to read from.
  init(reading words: [UInt64]) {
    self.words = words
    next = 0
  }

  /// Whether all was read, and can be what was written.
  var isReadThrough: Bool { isValid && next == words.count }

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
    var word = value.bitPattern
    exchange(&word)
    value = Double(bitPattern: word)
    if !value.isFinite {
      isValid = false
      value = 0
    }
  }

  /// A number from 0 to some other.
  mutating func exchange(_ value: inout Int, upTo most: Int) {
    var word = UInt64(clamping: value)
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
}
