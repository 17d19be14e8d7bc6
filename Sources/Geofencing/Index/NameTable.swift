/// The keys of the conditions, and under which number each is found.
///
/// Numbers of keys that are gone are given again. The table of numbers grows by one place with every
/// key, so that no addition waits until all are put into a larger one (W. Litwin, "Linear hashing", 1980).
struct NameTable: Sendable {
  private var monitors: ContiguousArray<MonitorKey> = []
  private var counts: ContiguousArray<Int> = []
  private var numbers: [MonitorKey: UInt32] = [:]

  /// The monitor of each slot; ``none`` for a slot that is free.
  private var monitorOfSlot = Column<UInt32>()

  /// The identifiers by slot, in pieces: none is moved when there are more.
  private var identifiers: ContiguousArray<ContiguousArray<String>> = []
  private static let pieceBits = 10

  /// The first slot of each bucket, and the slot that follows each in its bucket.
  private var first = Column<UInt32>()
  private var next = Column<UInt32>()

  private var free = Column<UInt32>()
  private(set) var count = 0

  static let none = UInt32.max

  init() { first.append(Self.none) }

  /// One more than the largest slot that was ever given.
  var slotCount: Int { monitorOfSlot.count }

  /// Whether a slot is in use.
  func isUsed(_ slot: UInt32) -> Bool { monitorOfSlot[slot] != Self.none }

  /// The slot of a key; nil when there is none.
  func slot(of key: ConditionKey) -> UInt32? {
    guard let monitor = numbers[key.monitor] else { return nil }
    var slot = first[bucket(hash(monitor, key.identifier))]
    while slot != Self.none {
      if monitorOfSlot[slot] == monitor, identifier(of: slot) == key.identifier { return slot }
      slot = next[slot]
    }
    return nil
  }

  /// The key of a slot that is in use.
  func key(of slot: UInt32) -> ConditionKey {
    ConditionKey(monitor: monitor(of: slot), identifier: identifier(of: slot))
  }

  /// The monitor of a slot that is in use.
  func monitor(of slot: UInt32) -> MonitorKey { monitors[Int(monitorOfSlot[slot])] }

  private func identifier(of slot: UInt32) -> String {
    identifiers[Int(slot >> Self.pieceBits)][Int(slot & (1 << Self.pieceBits - 1))]
  }

  /// How many keys a monitor has, for those that have any.
  var countsByMonitor: some Sequence<(monitor: MonitorKey, count: Int)> {
    zip(monitors, counts).lazy.filter { $0.1 > 0 }.map { (monitor: $0.0, count: $0.1) }
  }

  /// Adds a key, which isn't there, and gives it a slot.
  mutating func insert(_ key: ConditionKey) -> UInt32 {
    let monitor = number(of: key.monitor)
    counts[Int(monitor)] += 1
    count += 1
    let slot = takeSlot()
    monitorOfSlot[slot] = monitor
    identifiers[Int(slot >> Self.pieceBits)][Int(slot & (1 << Self.pieceBits - 1))] = key.identifier
    if count > first.count { addBucket() }
    link(slot)
    return slot
  }

  /// Takes a key away with its slot.
  mutating func remove(_ slot: UInt32) {
    let monitor = monitorOfSlot[slot]
    let bucket = bucket(hash(monitor, identifier(of: slot)))
    if first[bucket] == slot {
      first[bucket] = next[slot]
    } else {
      var before = first[bucket]
      while next[before] != slot { before = next[before] }
      next[before] = next[slot]
    }
    counts[Int(monitor)] -= 1
    count -= 1
    monitorOfSlot[slot] = Self.none
    identifiers[Int(slot >> Self.pieceBits)][Int(slot & (1 << Self.pieceBits - 1))] = ""
    free.append(slot)
  }

  private mutating func number(of monitor: MonitorKey) -> UInt32 {
    if let number = numbers[monitor] { return number }
    // The place of a monitor that has nothing any more.
    let number = counts.firstIndex(of: 0) ?? counts.count
    if number == counts.count {
      monitors.append(monitor)
      counts.append(0)
    } else {
      numbers[monitors[number]] = nil
      monitors[number] = monitor
    }
    numbers[monitor] = UInt32(number)
    return UInt32(number)
  }

  private mutating func takeSlot() -> UInt32 {
    if let slot = free.popLast() { return slot }
    let slot = UInt32(monitorOfSlot.count)
    monitorOfSlot.append(Self.none)
    next.append(Self.none)
    if Int(slot >> Self.pieceBits) == identifiers.count {
      identifiers.append(ContiguousArray(repeating: "", count: 1 << Self.pieceBits))
    }
    return slot
  }

  // MARK: Buckets

  private func hash(_ monitor: UInt32, _ identifier: String) -> Int {
    var hasher = Hasher()
    hasher.combine(monitor)
    hasher.combine(identifier)
    return hasher.finalize()
  }

  /// The bucket of a hash: by as many of its bits as there are buckets for.
  private func bucket(_ hash: Int) -> Int {
    let bits = Int.bitWidth - (first.count - 1).leadingZeroBitCount
    let bucket = hash & (1 << bits - 1)
    return bucket < first.count ? bucket : bucket & (1 << (bits - 1) - 1)
  }

  private mutating func link(_ slot: UInt32) {
    let bucket = bucket(hash(monitorOfSlot[slot], identifier(of: slot)))
    next[slot] = first[bucket]
    first[bucket] = slot
  }

  /// Adds a bucket, for what stood in another only because there wasn't this one.
  private mutating func addBucket() {
    let bits = Int.bitWidth - first.count.leadingZeroBitCount - 1
    let divided = first.count & ~(1 << bits)
    var slot = first[divided]
    first[divided] = Self.none
    first.append(Self.none)
    while slot != Self.none {
      let following = next[slot]
      link(slot)
      slot = following
    }
  }
}
