import Foundation
import Testing

@testable import GeofenceClient

/// Where the daemon of this machine is looked for.
@Suite struct SystemServiceTests {
  @Test func `the system's service is where the environment says`() async {
    // In a process of its own, whose environment may be changed.
    await #expect(processExitsWith: .success) {
      unsetenv("GEOFENCED_SOCKET")
      #expect(GeofenceService.system.identity == "/run/geofenced/io.geofenced")
      setenv("GEOFENCED_SOCKET", "/run/other", 1)
      #expect(GeofenceService.system.identity == "/run/other")
      setenv("GEOFENCED_SOCKET", "", 1)
      #expect(GeofenceService.system.identity == "/run/geofenced/io.geofenced")
    }
  }

  @Test func `a service of a path is there`() {
    #expect(GeofenceService.socket("/run/other").identity == "/run/other")
  }
}
