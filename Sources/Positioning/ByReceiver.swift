/// What is kept of each receiver, by its name; nil is the one that has none.
///
/// A source could name ever more of them: where one too many comes, all are forgotten.
struct ByReceiver<Value> {
  private var values: [String?: Value] = [:]

  /// Of how many something is kept.
  private static var maximumCount: Int { 16 }

  subscript(device: String?) -> Value? {
    get { values[device] }
    set {
      if newValue != nil, values.count == Self.maximumCount, values[device] == nil { values = [:] }
      values[device] = newValue
    }
  }

  subscript(device: String?, default value: @autoclosure () -> Value) -> Value {
    get { values[device] ?? value() }
    _modify {
      if values.count == Self.maximumCount, values[device] == nil { values = [:] }
      yield &values[device, default: value()]
    }
  }

  var all: Dictionary<String?, Value>.Values { values.values }

  /// Does something with what is kept of each, in the order of the names.
  mutating func updateEach(_ body: (_ device: String?, _ value: inout Value) -> Void) {
    let ordered = values.indices.sorted { (values[$0].key ?? "") < (values[$1].key ?? "") }
    for index in ordered { body(values.keys[index], &values.values[index]) }
  }

  mutating func removeAll() { values = [:] }
}

extension ByReceiver: Sendable where Value: Sendable {}
