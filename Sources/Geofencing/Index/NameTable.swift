import CProcessor

/// The keys of the conditions, and the number of each: its slot.
///
/// Slots of removed keys are used again. The hash table grows by ``LinearHashing``. At a start nobody waits for a
/// single key, so then it is doubled instead.
struct NameTable: Sendable {
  private var monitors: ContiguousArray<MonitorKey> = []
  private var counts: ContiguousArray<Int> = []

  /// The numbers of the monitors, in the order of their keys.
  private var sorted: ContiguousArray<UInt32> = []

  /// What is needed to find a slot.
  private struct Link: BitwiseCopyable {
    /// The number of the monitor; ``none`` for a free slot.
    var monitor = NameTable.none

    /// The lower bits of the key's hash, so that names are compared only if they are most likely equal, and not read
    /// at all to divide a bucket.
    var hash: UInt32 = 0

    /// The next slot in the same bucket.
    var next = NameTable.none
  }

  private var links = Column<Link>()

  /// The monitor of the last key that was added: keys in a row often share it.
  private var lastMonitor: UInt32 = 0

  /// The identifiers by slot, in pieces, so that none is moved when there are more.
  private var identifiers: ContiguousArray<ContiguousArray<String>> = []
  private static let pieceBits = 10

  /// The first slot of each bucket.
  private var first = Column<UInt32>()

  /// A monitor, and an identifier that none of its others comes after.
  ///
  /// An identifier that comes after that is surely new. To look it up would take most of the time of an addition.
  private var ordered: (monitor: UInt32, last: String)?

  private var free = Column<UInt32>()
  private(set) var count = 0

  static let none = UInt32.max

  init() { first.append(Self.none) }

  /// One more than the largest slot ever given.
  var slotCount: Int { links.count }

  /// Whether a slot is in use.
  func isUsed(_ slot: UInt32) -> Bool { links[slot].monitor != Self.none }

  /// The slot of a key; nil if it has none.
  func slot(of key: ConditionKey) -> UInt32? {
    guard let monitor = number(ofKnown: key.monitor) else { return nil }
    return slot(of: key.identifier, in: monitor, Self.hash(monitor, key.identifier))
  }

  private func slot(of identifier: String, in monitor: UInt32, _ hash: UInt32) -> UInt32? {
    var slot = first[bucket(hash)]
    while slot != Self.none {
      let link = links[slot]
      if link.hash == hash, link.monitor == monitor, self.identifier(of: slot) == identifier {
        return slot
      }
      slot = link.next
    }
    return nil
  }

  /// The key of a slot that is in use.
  func key(of slot: UInt32) -> ConditionKey {
    ConditionKey(monitor: monitor(of: slot), identifier: identifier(of: slot))
  }

  /// The monitor of a slot that is in use.
  func monitor(of slot: UInt32) -> MonitorKey { monitors[Int(links[slot].monitor)] }

  /// The identifier of a slot that is in use.
  func identifier(of slot: UInt32) -> String {
    identifiers[Int(slot >> Self.pieceBits)][Int(slot & (1 << Self.pieceBits - 1))]
  }

  /// Prefetches the key of a slot that is read soon.
  @inline(__always)
  func prefetch(_ slot: UInt32) {
    links.prefetch(slot)
    let place = Int(slot & (1 << Self.pieceBits - 1))
    unsafe identifiers[Int(slot >> Self.pieceBits)].withUnsafeBufferPointer {
      unsafe processor_prefetch($0.baseAddress.unsafelyUnwrapped + place)
    }
  }

  /// The slots of some monitors' keys, in order.
  ///
  /// - Parameter isIncluded: whether a monitor's keys count; called once for each monitor that has any.
  func slots(where isIncluded: (MonitorKey) -> Bool) -> [UInt32] {
    let isIncluded = zip(monitors, counts).map { $1 > 0 && isIncluded($0) }
    let count = zip(isIncluded, counts).reduce(0) { $0 + ($1.0 ? $1.1 : 0) }
    var slots: [UInt32] = []
    slots.reserveCapacity(count)
    for slot in 0..<UInt32(links.count) {
      guard slots.count < count else { break }
      let monitor = links[slot].monitor
      if monitor != Self.none, isIncluded[Int(monitor)] { slots.append(slot) }
    }
    return slots
  }

  /// How many keys each monitor has, for those that have any.
  var countsByMonitor: some Sequence<(monitor: MonitorKey, count: Int)> {
    zip(monitors, counts).lazy.filter { $0.1 > 0 }.map { (monitor: $0.0, count: $0.1) }
  }

  /// Adds a key and gives it a slot; nil if it has one already.
  ///
  /// - Parameter isOneOfMany: whether so many are added at once that single additions may take longer: then all of
  ///   them together take half of the time.
  mutating func insert(_ key: ConditionKey, isOneOfMany: Bool = false) -> UInt32? {
    let monitor = number(of: key.monitor)
    let hash = Self.hash(monitor, key.identifier)
    guard
      extendOrder(key.identifier, of: monitor)
        || slot(of: key.identifier, in: monitor, hash) == nil
    else { return nil }
    counts[Int(monitor)] += 1
    count += 1
    let slot = takeSlot()
    links[slot] = Link(monitor: monitor, hash: hash)
    identifiers[Int(slot >> Self.pieceBits)][Int(slot & (1 << Self.pieceBits - 1))] = key.identifier
    link(slot, hash)
    if count > first.count {
      if isOneOfMany { doubleBuckets() } else { addBucket() }
    }
    return slot
  }

  /// Notes an identifier as the last one of its monitor if it surely comes after all others; returns whether it does.
  private mutating func extendOrder(_ identifier: String, of monitor: UInt32) -> Bool {
    if let ordered, ordered.monitor == monitor {
      guard ordered.last < identifier else { return false }
    } else if counts[Int(monitor)] > 0 {
      return false
    }
    ordered = (monitor, identifier)
    return true
  }

  /// Removes the key of a slot, and frees the slot.
  mutating func remove(_ slot: UInt32) {
    let link = links[slot]
    let bucket = bucket(link.hash)
    if first[bucket] == slot {
      first[bucket] = link.next
    } else {
      var before = first[bucket]
      while links[before].next != slot { before = links[before].next }
      links[before].next = link.next
    }
    counts[Int(link.monitor)] -= 1
    count -= 1
    links[slot] = Link()
    identifiers[Int(slot >> Self.pieceBits)][Int(slot & (1 << Self.pieceBits - 1))] = ""
    free.append(slot)
  }

  private mutating func number(of monitor: MonitorKey) -> UInt32 {
    lastMonitor = number(ofKnown: monitor) ?? addMonitor(monitor)
    return lastMonitor
  }

  private func number(ofKnown monitor: MonitorKey) -> UInt32? {
    if Int(lastMonitor) < monitors.count, monitors[Int(lastMonitor)] == monitor {
      return lastMonitor
    }
    let place = place(of: monitor)
    guard place < sorted.count, monitors[Int(sorted[place])] == monitor else { return nil }
    return sorted[place]
  }

  /// How many monitors come before this one in order.
  private func place(of monitor: MonitorKey) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if monitors[Int(sorted[middle])] < monitor { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func addMonitor(_ monitor: MonitorKey) -> UInt32 {
    // The number of a monitor without keys is used again.
    let number = counts.firstIndex(of: 0) ?? counts.count
    if number == counts.count {
      monitors.append(monitor)
      counts.append(0)
    } else {
      sorted.remove(at: place(of: monitors[number]))
      monitors[number] = monitor
    }
    sorted.insert(UInt32(number), at: place(of: monitor))
    return UInt32(number)
  }

  private mutating func takeSlot() -> UInt32 {
    if let slot = free.popLast() { return slot }
    let slot = UInt32(links.count)
    links.append(Link())
    if Int(slot >> Self.pieceBits) == identifiers.count {
      identifiers.append(ContiguousArray(repeating: "", count: 1 << Self.pieceBits))
    }
    return slot
  }

  // MARK: Buckets

  private static func hash(_ monitor: UInt32, _ identifier: String) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(monitor)
    hasher.combine(identifier)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  private func bucket(_ hash: UInt32) -> Int {
    LinearHashing.place(of: Int(hash), among: first.count)
  }

  private mutating func link(_ slot: UInt32, _ hash: UInt32) {
    let bucket = bucket(hash)
    links[slot].next = first[bucket]
    first[bucket] = slot
  }

  /// Doubles the number of buckets.
  private mutating func doubleBuckets() {
    let doubled = first.count * 2
    first.removeAll()
    first.append(Self.none, count: doubled)
    for slot in 0..<UInt32(links.count) where isUsed(slot) { link(slot, links[slot].hash) }
  }

  /// Adds a bucket, and moves the slots there that belong in it.
  private mutating func addBucket() {
    let divided = LinearHashing.divided(among: first.count)
    var slot = first[divided]
    first[divided] = Self.none
    first.append(Self.none)
    while slot != Self.none {
      let following = links[slot].next
      link(slot, links[slot].hash)
      slot = following
    }
  }
}
