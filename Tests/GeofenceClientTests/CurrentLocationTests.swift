import ControlInterface
import Foundation
import GeofenceSimulation
import LinuxSystem
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

private typealias Location = GeofenceClient.Location

/// Where the receiver is, for a program that asks once.
///
/// How long the daemon waits for a first fix is its own.
@Suite(.timeLimit(.minutes(10))) struct CurrentLocationTests {
  private let location = Location(
    coordinate: home, timestamp: Date(timeIntervalSince1970: 1_767_225_600),
    horizontalAccuracy: 3, speed: 0)

  @Test func `the newest location is told`() async throws {
    try await SimulatedGeofences.run { geofences in
      try await geofences.send(location)
      let update = try await LocationUpdate.current(service: geofences.service)
      #expect(update.location == location && !update.isStationary)
    }
  }

  @Test func `that there is none is told, and why`() async throws {
    let method = VarlinkMethod.call { (parameters: Locations.Parameters, _) -> Locations.Reply in
      #expect(parameters.configuration == nil)
      var reply = Locations.Reply(location: nil, receiverDisconnected: true)
      reply.disconnection = "gpsd is away"
      return reply
    }
    try await ScriptedService.run([Locations.name: method]) { service in
      let update = try await LocationUpdate.current(service: service)
      #expect(update.locationUnavailable && update.receiverDisconnected)
      #expect(update.disconnection == "gpsd is away")
    }
  }

  @Test func `what a loop would wait for is thrown`() async {
    for reason in [Errno.permissionDenied, .connectionRefused] {
      let error = await #expect(throws: MonitorError.self) {
        try await LocationUpdate.current(service: .unreachable(reason))
      }
      switch error {
      case .authorizationDenied?: #expect(reason == .permissionDenied)
      case .serviceUnavailable?: #expect(reason == .connectionRefused)
      default: Issue.record("\(reason): \(String(describing: error))")
      }
    }
  }
}
