/// A set of slots, with a bit for each.
///
/// For a million it takes an eighth of a megabyte, which stays in the processor's cache.
struct SlotSet: Sendable {
  private var words = Column<UInt64>()

  /// How many bytes it takes.
  var bytes: Int { words.bytes }

  /// Makes room for all slots below a number.
  mutating func reserve(_ count: Int) {
    let missing = (count + 63) / 64 - words.count
    if missing > 0 { words.append(0, count: missing) }
  }

  /// Whether a slot is in the set; there has to be room for it.
  subscript(slot: UInt32) -> Bool {
    @inline(__always) get { words[slot >> 6] >> UInt64(slot & 63) & 1 != 0 }
    @inline(__always) set {
      let bit = UInt64(1) << UInt64(slot & 63)
      let word = words[slot >> 6]
      words[slot >> 6] = newValue ? word | bit : word & ~bit
    }
  }
}
