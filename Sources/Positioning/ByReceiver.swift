/// What is kept of each receiver, by its name; nil is the one that has none.
///
/// A source could name ever more of them: where one too many comes, the one is forgotten that wasn't heard of
/// for the longest.
package struct ByReceiver<Value> {
  private var entries: [String?: (value: Value, turn: Int)] = [:]
  private var turn = 0

  /// How many receivers are kept at most: more than gpsd has room for.
  private static var maximumCount: Int { 64 }

  package init() {}

  package subscript(device: String?) -> Value? {
    get { entries[device]?.value }
    set {
      guard let newValue else {
        entries[device] = nil
        return
      }
      makeRoom(for: device)
      entries[device] = (newValue, turn)
    }
  }

  package subscript(device: String?, default value: @autoclosure () -> Value) -> Value {
    get { entries[device]?.value ?? value() }
    _modify {
      makeRoom(for: device)
      yield &entries[device, default: (value(), turn)].value
      entries[device]?.turn = turn
    }
  }

  // Not by a key path, which a lazy map would make anew each time.
  var all: some Sequence<Value> { entries.values.lazy.map { $0.value } }

  /// Does something with what is kept of each, in the order of the names.
  mutating func updateEach(_ body: (_ device: String?, _ value: inout Value) -> Void) {
    let ordered = entries.indices.sorted { (entries[$0].key ?? "") < (entries[$1].key ?? "") }
    for index in ordered { body(entries.keys[index], &entries.values[index].value) }
  }

  package mutating func removeAll() { entries = [:] }

  private mutating func makeRoom(for device: String?) {
    turn += 1
    guard entries.count == Self.maximumCount, entries[device] == nil else { return }
    entries.min { $0.value.turn < $1.value.turn }.map { entries[$0.key] = nil }
  }
}

extension ByReceiver: Sendable where Value: Sendable {}
