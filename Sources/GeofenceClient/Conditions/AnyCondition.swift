/// Any condition, so that what holds one can be compared.
struct AnyCondition: Sendable, Hashable {
  let value: any Condition

  static func == (a: AnyCondition, b: AnyCondition) -> Bool {
    AnyHashable(a.value) == AnyHashable(b.value)
  }

  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
