import TestSupport
import Testing

@testable import Geofencing

/// What an engine keeps millions of things in.
struct TableTests {
  @Test func `keys are found under their numbers, and numbers are given again`() throws {
    var random = SplitMix64(seed: 5)
    var names = NameTable()
    var slots: [ConditionKey: UInt32] = [:]
    for _ in 0..<20_000 {
      let number = Int.random(in: 0..<3_000, using: &random)
      // Some monitors have many; of those with few, many come and go.
      let monitor = number < 1_500 ? number % 3 : number / 4
      let key = ConditionKey(
        monitor: MonitorKey(user: UInt32(number % 2), name: "m\(monitor)"),
        identifier: "place-\(number)")
      if let slot = slots[key] {
        #expect(names.slot(of: key) == slot && names.key(of: slot) == key)
        names.remove(slot)
        slots[key] = nil
      } else {
        #expect(names.slot(of: key) == nil)
        let added = names.insert(key, isOneOfMany: number % 5 == 0)
        let slot = try #require(added)
        let again = names.insert(key)
        #expect(again == nil)
        #expect(!slots.values.contains(slot) || slots.count > 50)
        slots[key] = slot
      }
      #expect(names.count == slots.count)
    }
    #expect(Set(slots.values).count == slots.count)
    #expect(slots.allSatisfy { names.slot(of: $0) == $1 })
    #expect(names.slotCount <= 3_000)
    let counts = Dictionary(
      uniqueKeysWithValues: names.countsByMonitor.map { ($0.monitor, $0.count) })
    #expect(counts == Dictionary(grouping: slots.keys, by: \.monitor).mapValues(\.count))
  }

  @Test(arguments: [false, true])
  func `keys that come in order are found, and none is added twice`(isOneOfMany: Bool) {
    var names = NameTable()
    let monitors = ["a", "b", "a"].map { MonitorKey(user: 1, name: $0) }
    func key(_ number: Int, _ monitor: MonitorKey) -> ConditionKey {
      ConditionKey(monitor: monitor, identifier: "\(100_000 + number)")
    }
    for (round, monitor) in monitors.enumerated() {
      for number in 0..<5_000 {
        let slot = names.insert(key(number, monitor), isOneOfMany: isOneOfMany)
        #expect((slot == nil) == (round == 2))
      }
    }
    let again = names.insert(key(7, monitors[1]))
    #expect(again == nil)
    for monitor in monitors {
      for number in 0..<5_000 { #expect(names.slot(of: key(number, monitor)) != nil) }
      #expect(names.slot(of: key(5_000, monitor)) == nil)
    }
    #expect(names.count == 10_000)
  }

  @Test func `a copy of a column doesn't see what becomes of the other`() {
    var column = Column<Int32>()
    for number in 0..<Int32(1_000) { column.append(number) }
    let copy = column
    column[7] = -1
    column.append(8)
    #expect(column.popLast() == 8 && column.popLast() == 999)
    #expect(copy[7] == 7 && copy.count == 1_000 && column.count == 999)
    column.removeAll()
    #expect(column.count == 0 && column.popLast() == nil && copy[999] == 999)
  }

  @Test func `lists keep what was added and not removed`() {
    var random = SplitMix64(seed: 6)
    var lists = Lists<UInt32>()
    var all = (0..<40).map { _ in (list: Lists<UInt32>.List(), slots: Set<UInt32>()) }
    for _ in 0..<20_000 {
      let index = Int.random(in: 0..<40, using: &random)
      let slot = UInt32.random(in: 0..<UInt32(1 + index * 5), using: &random)
      if all[index].slots.insert(slot).inserted {
        lists.append(slot, to: &all[index].list)
      } else {
        all[index].slots.remove(slot)
        lists.removeFirst(from: &all[index].list) { $0 == slot }
      }
    }
    for (list, slots) in all {
      #expect(Set(list.range.map { lists[$0] }) == slots && list.range.count == slots.count)
    }
  }
}
