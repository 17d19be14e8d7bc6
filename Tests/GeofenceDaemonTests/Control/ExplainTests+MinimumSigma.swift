import ControlInterface
import Geofencing
import Testing

@testable import GeofenceDaemon

extension ExplainTests {
  @Test func `MinimumSigma= is told where it alone makes the condition too small`() async throws {
    let monitoring = try machine.start { $0.decision.minimumSigma = 30 }
    for (identifier, radius) in [("home", 100.0), ("yard", 30), ("desk", 1)] {
      _ = try await monitoring.add(
        circle(radius), identifier: identifier, to: mine, assuming: .unknown)
    }
    await play("ii", from: 0, to: monitoring)
    #expect(try await explain("yard", monitoring).minimumSigma == 30)
    for identifier in ["home", "desk"] {
      let reply = try await explain(identifier, monitoring)
      #expect(reply.minimumSigma == nil && reply.nextProbe == nil, "\(identifier)")
    }
  }
}
