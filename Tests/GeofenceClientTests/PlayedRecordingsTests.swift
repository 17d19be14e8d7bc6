import Foundation
import GeofenceSimulation
import TestSupport
import Testing

@testable import GeofenceClient

/// What a recording leads to that is played in the simulation.
@Suite(.timeLimit(.minutes(10))) struct PlayedRecordingsTests {
  @Test func `a reflection in a track without speeds is left out, and what is sent may leap`()
    async throws
  {
    let began = Date(timeIntervalSince1970: 1_777_881_600)
    // Ten seconds at 300 m.
    let reflected = 48.2027
    let points = (0..<130).map { second in
      let latitude = (60..<70).contains(second) ? reflected : home.latitude
      return "<trkpt lat=\"\(latitude)\" lon=\"\(home.longitude)\">"
        + "<time>\((began + Double(second)).formatted(.iso8601))</time></trkpt>"
    }
    let track =
      "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
      + points.joined(separator: "\n") + "</trkseg></trk></gpx>"
    let folder = try TemporaryFolder()
    let path = try folder.write(track.utf8, "track.gpx")
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home")
      try await geofences.play(recordingAt: path)
      #expect(try await monitor.record(for: "home")?.lastEvent?.kind == .determined)
      let place = Coordinate(latitude: reflected, longitude: home.longitude)
      for second in 130..<140 {
        try await geofences.send(
          Location(
            coordinate: place, timestamp: began + Double(second), horizontalAccuracy: 3))
      }
      #expect(try await monitor.record(for: "home")?.lastEvent?.kind == .exited)
    }
  }
}
