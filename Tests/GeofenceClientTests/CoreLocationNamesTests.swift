import Foundation
import GeofenceClient
import GeofenceSimulation
import Testing

/// A program with Core Location's names: what has to be changed is the import, `try` and the service.
@Suite(.timeLimit(.minutes(10))) struct CoreLocationNamesTests {
  @Test func `a program ports by its names`() async throws {
    try await SimulatedGeofences.run { geofences in
      let center = CLLocationCoordinate2D(latitude: 48.2, longitude: 16.3)
      let radius: CLLocationDistance = 200
      let monitor = try await CLMonitor("Monitor", service: geofences.service)
      try await monitor.add(
        CLMonitor.CircularGeographicCondition(center: center, radius: radius),
        identifier: "work", assuming: .unsatisfied)
      let identifiers = try await monitor.identifiers
      #expect(identifiers == ["work"])
      for identifier in identifiers {
        let condition: (any CLCondition)? = try await monitor.record(for: identifier)?.condition
        #expect(condition is CLMonitor.CircularGeographicCondition)
      }
      let session = CLBackgroundActivitySession(service: geofences.service)
      defer { session.invalidate() }
      try await geofences.move(to: center)
      for try await event in await monitor.events {
        switch event.state {
        case .satisfied: #expect(event.identifier == "work")
        case .unsatisfied, .unknown, .unmonitored: Issue.record("\(event)")
        }
        break
      }
      for try await update in CLLocationUpdate.liveUpdates(
        .otherNavigation, service: geofences.service)
      {
        let location: CLLocation? = update.location
        #expect(location?.coordinate.latitude == 48.2 && !update.stationary)
        break
      }
    }
  }

  @Test func `what Core Location gives a negative number isn't known`() {
    func location(_ horizontal: Double, _ vertical: Double) -> CLLocation {
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 48, longitude: 16), altitude: 171,
        horizontalAccuracy: horizontal, verticalAccuracy: vertical, timestamp: .distantPast)
    }
    let known = location(5, 8)
    #expect(known.horizontalAccuracy == 5 && known.verticalAccuracy == 8)
    #expect(known.altitude == 171 && known.mode == 3)
    let unknown = location(-1, -1)
    #expect(unknown.horizontalAccuracy == nil && unknown.verticalAccuracy == nil)
    #expect(unknown.altitude == nil && unknown.mode == 2)
  }

  @Test func `a course and a speed below 0 aren't known`() {
    func location(course: CLLocationDirection, speed: CLLocationSpeed) -> CLLocation {
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 48, longitude: 16), altitude: 171,
        horizontalAccuracy: 5, verticalAccuracy: 8, course: course, speed: speed,
        timestamp: .distantPast)
    }
    let known = location(course: 90, speed: 0)
    #expect(known.course == 90 && known.speed == 0)
    #expect(known.courseAccuracy == nil && known.speedAccuracy == nil)
    #expect(known.horizontalAccuracy == 5 && known.altitude == 171 && known.mode == 3)
    let unknown = location(course: -1, speed: -1)
    #expect(unknown.course == nil && unknown.speed == nil && unknown.verticalAccuracy == 8)
  }

  /// A course and a speed with their accuracies, and whether they are known.
  @Test(arguments: [
    (90, 5, 14, 0.5, true, true), (0, 0, 0, 0, true, true), (90, -1, 14, 0.5, false, true),
    (90, 5, 14, -1, true, false), (-1, 5, -1, 0.5, false, false), (-1, -1, -1, -1, false, false),
  ])
  func `what has an accuracy below 0 isn't known`(
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, hasCourse: Bool, hasSpeed: Bool
  ) {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 48, longitude: 16), altitude: 171,
      horizontalAccuracy: 5, verticalAccuracy: -1, course: course, courseAccuracy: courseAccuracy,
      speed: speed, speedAccuracy: speedAccuracy, timestamp: .distantPast)
    #expect(location.course == (hasCourse ? course : nil))
    #expect(location.courseAccuracy == (hasCourse ? courseAccuracy : nil))
    #expect(location.speed == (hasSpeed ? speed : nil))
    #expect(location.speedAccuracy == (hasSpeed ? speedAccuracy : nil))
    #expect(location.altitude == nil && location.horizontalAccuracy == 5 && location.mode == 2)
  }

  @Test(arguments: [-1, 0, 0.1])
  func `an altitude is known where its accuracy is more than 0`(accuracy: CLLocationAccuracy) {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 48, longitude: 16), altitude: 171,
      horizontalAccuracy: 5, verticalAccuracy: accuracy, timestamp: .distantPast)
    let isKnown = accuracy > 0
    #expect(location.altitude == (isKnown ? 171 : nil))
    #expect(location.verticalAccuracy == (isKnown ? accuracy : nil))
    #expect(location.mode == (isKnown ? 3 : 2))
  }

  @Test func `coordinates are made and checked by Core Location's functions`() {
    let coordinate = CLLocationCoordinate2DMake(48.2, 16.3)
    #expect(coordinate == CLLocationCoordinate2D(latitude: 48.2, longitude: 16.3))
    #expect(CLLocationCoordinate2DIsValid(coordinate))
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }

  @Test func `errors say what is wrong also by Foundation's name for it`() {
    #expect((MonitorError.invalidName("why") as any Error).localizedDescription == "why")
  }
}
