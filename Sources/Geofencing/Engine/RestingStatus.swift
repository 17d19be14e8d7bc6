/// What is known of a resting condition: a byte, beside a time.
///
/// Nearly all of many conditions are far away. All that is known of them is that the last fix was surely outside, or
/// that no fix was judged yet.
struct RestingStatus: BitwiseCopyable, Hashable {
  private var bits: UInt8

  /// The state and the last known state; see ``ConditionStatus``.
  var state: ConditionState { state(at: 0) ?? .unknown }
  var knownState: ConditionState? { state(at: 2) }

  @inline(__always)
  private func state(at bit: UInt8) -> ConditionState? {
    switch bits >> bit & 3 {
    case 1: .unsatisfied
    case 2: .satisfied
    default: nil
    }
  }

  /// Whether the last fix was surely outside, so that ``ConditionWatch/lastOutside`` would be that fix.
  ///
  /// Otherwise the next fix has to be judged, wherever it is.
  var isOutside: Bool { bits & 16 != 0 }

  /// Whether the state is outside, by a fix or by assumption, without a doubt since.
  var isAssumedOutside: Bool {
    state == .unsatisfied && knownState == .unsatisfied && !isSilenced
  }

  /// Whether the state was forgotten in the silence after the last fix.
  var isSilenced: Bool { bits & 32 != 0 }

  /// Whether the condition rests, so that nothing more is known of it.
  var isResting: Bool { bits & 64 != 0 }

  /// The status of a slot whose condition is awake, or that has none.
  static let none = RestingStatus(bits: 0)

  /// The status of a condition of which the last fix was surely outside, without a doubt before.
  static let outside = RestingStatus(bits: 1 | 1 << 2 | 16 | 64)

  private init(bits: UInt8) { self.bits = bits }

  /// The status of a condition that wasn't judged yet, or not since its state was forgotten.
  init(state: ConditionState, knownState: ConditionState?, isSilenced: Bool) {
    func code(_ state: ConditionState?) -> UInt8 {
      switch state {
      case .unsatisfied: 1
      case .satisfied: 2
      case .unknown, .unmonitored, nil: 0
      }
    }
    bits = code(state) | code(knownState) << 2 | (isSilenced ? 32 : 0) | 64
  }
}
