import Positioning
import Testing

@testable import GeofenceCommands

/// The words and numbers that explanations are made of.
@Suite struct QuantityTests {
  @Test func `every reason for a rejection has its sentence, and others are words`() {
    for reason in RejectionReason.allCases {
      #expect(RejectionText.sentences[reason.rawValue] != nil, "\(reason)")
    }
    #expect(RejectionText.sentences["contradictsMotion"] != nil)
    #expect(
      RejectionText.sentence("beyondAllReason") == "it was rejected as beyond all reason")
    for sentence in RejectionText.sentences.values { #expect(sentence.count < 70) }
  }

  @Test func `one thing is no plural`() {
    #expect(
      [0, 1, 2].map { Quantity.count($0, "fix", "fixes") } == ["0 fixes", "1 fix", "2 fixes"])
  }

  @Test func `accuracies of centimetres aren't rounded to nothing`() {
    #expect(Quantity.accuracy(0.02) == "±2 cm" && Quantity.accuracy(0.0041) == "±0.4 cm")
    #expect(Quantity.accuracy(0.1) == "±0.1 m" && Quantity.accuracy(4.53) == "±4.5 m")
    #expect(Quantity.accuracy(0) == "±0 m" && Quantity.accuracy(nil) == "-")
    #expect(Quantity.accuracy(12.6) == "±13 m")
  }

  @Test func `numbers have the digits that a person reads`() {
    #expect(Quantity.metres(0) == "0 m" && Quantity.metres(4.04) == "4 m")
    #expect(Quantity.metres(9.96) == "10 m" && Quantity.metres(138.4) == "138 m")
    #expect(Quantity.metres(.infinity) == "1000000000000 m")
    #expect(Quantity.distance(-0.04) == "0 m inside" && Quantity.distance(0) == "0 m outside")
    #expect(Quantity.distance((-0.3).rounded()) == "0 m inside")
    #expect(Quantity.probability(0) == "<0.1 %" && Quantity.probability(0.0005) == "0.1 %")
    #expect(Quantity.probability(0.5) == "50 %" && Quantity.probability(0.9994) == "99.9 %")
    #expect(Quantity.probability(0.9995) == ">99.9 %" && Quantity.probability(1) == ">99.9 %")
    #expect(Quantity.threshold(0.9999) == "99.99 %" && Quantity.threshold(1 - 0.98) == "2 %")
    #expect(Quantity.fixes(1, of: 1) == "1 of 1 fix")
    #expect(Quantity.fixes(2, of: 1) == "2 fixes, where 1 is enough")
    #expect(Quantity.fixes(31, of: 2) == "31 fixes, where 2 are enough")
    #expect(Quantity.seconds(2, of: 3) == "2.0 of 3.0 s")
    #expect(Quantity.seconds(0.04, of: 0) == "0.0 of 0.0 s")
    #expect(Quantity.seconds(61, of: 60) == "61.0 s, where 60.0 s is enough")
  }

  @Test func `what is less than was asked for doesn't look like as much`() {
    #expect(Quantity.probability(0.97996, below: 0.98) == "97.99 %")
    #expect(Quantity.probability(0.9796, below: 0.98) == "97.96 %")
    #expect(Quantity.probability(0.9804, below: 0.98) == "98 %")
    #expect(Quantity.probability(0.0197, below: 0.98) == "2 %")
    #expect(Quantity.probability(0.02003, below: 0.98) == "2.01 %")
    #expect(Quantity.probability(0.00502, below: 0.98, 0.995) == "0.51 %")
    #expect(Quantity.probability(0.99496, below: 0.98, 0.995) == "99.49 %")
    #expect(Quantity.probability(0.97996, below: 0.98, 0.995) == "97.99 %")
    #expect(Quantity.probability(0.99496, below: 0.98, nil) == "99.5 %")
    #expect(Quantity.probability(0.5, below: 0.98) == "50 %")
    #expect(Quantity.probability(0.9998, below: 0.9999) == ">99.9 %")
  }
}
