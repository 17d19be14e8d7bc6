import ControlInterface
import Geofencing
import Testing

@testable import GeofenceDaemon

/// The identifiers of conditions that are added without one.
struct ReadableIdentifierTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  @Test func `makes identifiers that say what the condition is`() async throws {
    let monitoring = try machine.start()
    func add(_ condition: Condition) async throws -> String {
      let (outcome, record) = try await monitoring.add(
        condition, identifier: nil, to: own, assuming: .unknown)
      #expect(Identifier.isValid(record.identifier))
      return "\(outcome.rawValue) \(record.identifier)"
    }
    #expect(try await add(circle()) == "added 47.0_8.0_100.0m")
    #expect(try await add(circle()) == "unchanged 47.0_8.0_100.0m")
    #expect(try await add(circle(confidence: 0.9)) == "added 47.0_8.0_100.0m-2")
    #expect(try await add(circle(confidence: 0.8)) == "added 47.0_8.0_100.0m-3")
    #expect(try await add(circle(confidence: 0.9)) == "unchanged 47.0_8.0_100.0m-2")
    #expect(
      try await add(circle(0x1p0.nextUp, latitude: -1e-300))
        == "added -1e-300_8.0_1.0000000000000002m")
  }

  @Test func `finds an equal condition again behind others of its shape that are gone`()
    async throws
  {
    let monitoring = try machine.start()
    func add(_ confidence: Double) async throws -> String {
      let (outcome, record) = try await monitoring.add(
        circle(confidence: confidence), identifier: nil, to: own, assuming: .unknown)
      return "\(outcome.rawValue) \(record.identifier)"
    }
    let name = "47.0_8.0_100.0m"
    for confidence in [0.6, 0.7, 0.8, 0.9] { _ = try await add(confidence) }
    _ = try await monitoring.remove(key(name))
    #expect(try await add(0.7) == "unchanged \(name)-2")
    for number in 2...3 { _ = try await monitoring.remove(key("\(name)-\(number)")) }
    #expect(try await add(0.9) == "unchanged \(name)-4")
    // What is new gets the first name that is free.
    #expect(try await add(0.6) == "added \(name)")
    #expect(try await add(0.7) == "added \(name)-2")
    #expect(await monitoring.summary(ofUser: nil).conditions == 3)
    // Not all that are free count, but those in a row.
    for (number, confidence) in [(50, 0.91), (100, 0.92)] {
      _ = try await monitoring.add(
        circle(confidence: confidence), identifier: "\(name)-\(number)", to: own,
        assuming: .unknown)
    }
    #expect(try await add(0.92) == "unchanged \(name)-100")
  }

  @Test func `asks for an identifier where very many of the same shape have one`() async throws {
    let monitoring = try machine.start()
    let name = "47.0_8.0_100.0m"
    func add(_ confidence: Double, _ identifier: String?) async throws -> String {
      try await monitoring.add(
        circle(confidence: confidence), identifier: identifier, to: own, assuming: .unknown
      ).record.identifier
    }
    for number in 1...1_000 {
      _ = try await add(0.6 + Double(number) * 1e-5, number == 1 ? name : "\(name)-\(number)")
    }
    await #expect(throws: ControlError.self) { try await add(0.9, nil) }
    #expect(try await add(0.9, "home") == "home")
    _ = try await monitoring.remove(key("\(name)-1000"))
    #expect(try await add(0.91, nil) == "\(name)-1000")
    #expect(await monitoring.summary(ofUser: nil).conditions == 1_001)
  }
}
