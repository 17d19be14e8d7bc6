import Geofencing
import TestSupport
import Testing

/// What is advised where reflections last longer than `JumpSec=`.
extension AdviceTests {
  /// Parked for 40 minutes, of which every fifth is one of a reflection 100 m away.
  @Test(arguments: [nil, 0] as [Double?])
  func `alarms by reflections of a minute are told, with a time that spares them`(
    speed: Double?
  ) throws {
    func transitions(of condition: Condition) -> [Transition] {
      var engine = engine(condition, parameters: DecisionParameters())
      return seconds(0, 2460).flatMap { second in
        let isReflected = second.truncatingRemainder(dividingBy: 300) >= 240
        return engine.process(report(second, east: isReflected ? 100 : 0, speed: speed))
      }
    }
    let parameters = DecisionParameters()
    let told = transitions(of: try circle(50))
    #expect(told.count { $0.kind == .exited && $0.bounds != nil } == 8)
    let advice = Advice(for: try circle(50), after: told, present: nil, with: parameters)
    #expect(advice.briefAbsences == 8)
    let asked = try #require(advice.exitAfter)
    #expect((60...120).contains(asked))
    // As it says.
    let careful = transitions(of: try circle(50, exitAfter: .seconds(asked)))
    #expect(careful.map(\.kind) == [.determined])
  }
}
