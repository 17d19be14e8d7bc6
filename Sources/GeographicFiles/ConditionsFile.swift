/// What a file of conditions holds.
package struct ConditionsFile: Sendable {
  package let format: GeographicFormat

  /// The conditions in the order of the file; none where they were handed out instead.
  package let conditions: [NamedCondition]

  /// What was left out or changed on purpose, one sentence each, for a person.
  package let notes: [String]
}
