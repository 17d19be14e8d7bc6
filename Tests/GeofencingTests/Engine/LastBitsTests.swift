import JSONCoding
import TestSupport
import Testing

@testable import Geofencing

/// Another C library's mathematics may differ in the last bits; what is told must not.
struct LastBitsTests {
  @Test func `the last bits of a distance, a probability or an accuracy aren't told`() throws {
    var transition = Transition(
      key: home, kind: .entered, state: .satisfied, previousState: .unsatisfied, date: at(0))
    transition.location = fix(0, 50, accuracy: 7.123_456_789)
    transition.distance = -49.987_654_321
    transition.probability = 0.987_654_321_987
    func text(_ transition: Transition) throws -> String {
      try CanonicalJSON.text(
        Event(sequence: 1, log: nil, recorded: nil, transition: transition))
    }
    let expected = try text(transition)
    for nudge in [{ (number: Double) in number.nextUp }, { $0.nextDown }] {
      func nudged(_ number: Double?) -> Double? {
        number.map { (0..<10).reduce($0) { value, _ in nudge(value) } }
      }
      var other = transition
      other.distance = nudged(transition.distance)
      other.probability = nudged(transition.probability)
      other.location?.horizontalAccuracy = nudged(transition.location?.horizontalAccuracy)
      #expect(other != transition)
      #expect(try text(other) == expected)
    }
    #expect(expected.contains("\"distance\":-49.988,"))
    #expect(expected.contains("\"probability\":0.987654,"))
  }
}
