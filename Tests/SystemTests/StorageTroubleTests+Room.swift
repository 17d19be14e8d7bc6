import ControlInterface
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

/// A disk that has room for some things and not for others.
extension StorageTroubleTests {
  @Test(arguments: [0, 600_000])
  func `a disk with little room has some for what takes the place of what was there`(
    room: Int
  ) async throws {
    try await withSmallDisk(DaemonProcess.withoutReceiver) { daemon in
      var radius = 100
      func replace() async throws -> Bool {
        radius += 1
        let place = [
          "add", "--id", "home", "--lat", "48", "--lon", "16", "--radius", "\(radius)",
        ]
        return try await daemon.ctl(place).status == 0
      }
      for _ in 0..<80 { #expect(try await replace()) }
      try fill(daemon.stateDirectory, leaving: room)
      // The first may find that the log can't grow any more.
      if room == 0 { _ = try await replace() }
      for _ in 0..<200 { #expect(try await replace()) }
      #expect(try await daemon.status().storage.failure == nil)
      #expect(try size(of: daemon.database + "-wal") < 500_000)
    }
  }

  @Test func `a disk that conditions have filled has room for removing them`() async throws {
    try await withSmallDisk(DaemonProcess.withoutReceiver) { daemon in
      let features = (0..<500).map { number in
        """
        {"type": "Feature", "id": "place-\(number)", "properties": {"radius": 100}, \
        "geometry": {"type": "Point", "coordinates": [16, \(Double(number) / 10)]}}
        """
      }
      let file = daemon.folder + "/places.geojson"
      try "{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ","))]}"
        .write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try await daemon.ctl("import", file).status == 0)
      try fill(daemon.stateDirectory, leaving: 450_000)
      let place = ["add", "--id", "one-more", "--lat", "48", "--lon", "16", "--radius", "100"]
      let refused = try await daemon.ctl(place)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("the disk is full: it has only "))
      #expect(try await daemon.ctl("monitor", "clear", "default").status == 0)
      #expect(try await daemon.status().conditions == 0)
      #expect(try await daemon.status().storage.failure == nil)
    }
  }

  @Test func `units of monitors leave room for taking them back`() async throws {
    try await withSmallDisk(DaemonProcess.withoutReceiver) { daemon in
      try fill(daemon.stateDirectory, leaving: 500_000)
      let connection = try await daemon.connect()
      let unit = String(repeating: "u", count: 240) + ".service"
      var refusal: VarlinkError?
      var count = 0
      while refusal == nil, count < 1_000 {
        do {
          let monitor = "\(count)-" + String(repeating: "m", count: 120)
          _ = try await connection.call(
            SetMonitor.self, SetMonitor.Parameters(user: nil, monitor: monitor, launchUnit: unit))
          count += 1
        } catch let error as VarlinkError {
          refusal = error
        }
      }
      #expect(refusal?.name == ControlError.Name.persistenceUnavailable.qualified)
      #expect(count > 10)
      for number in 0..<count {
        let monitor = "\(number)-" + String(repeating: "m", count: 120)
        _ = try await connection.call(
          SetMonitor.self, SetMonitor.Parameters(user: nil, monitor: monitor, launchUnit: nil))
      }
    }
  }

  @Test func `what is too large for the disk is no trouble for others`() async throws {
    try await withSmallDisk(DaemonProcess.withoutReceiver) { daemon in
      let ring = (0...60_000).map { corner in
        let angle = Double(corner % 60_000) / 30_000 * .pi
        return "[\(16 + cos(angle) / 10),\(48 + sin(angle) / 10)]"
      }
      let file = daemon.folder + "/field.geojson"
      try """
      {"type": "Feature", "id": "field", "geometry": \
      {"type": "Polygon", "coordinates": [[\(ring.joined(separator: ","))]]}}
      """.write(toFile: file, atomically: true, encoding: .utf8)
      let refused = try await daemon.ctl("import", file)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("the disk is full: it has only "))
      #expect(try await daemon.status().storage.failure == nil)
      let place = ["add", "--id", "home", "--lat", "48", "--lon", "16", "--radius", "100"]
      #expect(try await daemon.ctl(place).status == 0)
    }
  }

  @Test func `what waits for room is stored before what makes room`() async throws {
    let gpsd = try GPSDProcess.orCancel()
    try await withSmallDisk { daemon in
      let drive = try await begin(daemon, gpsd)
      try fill(daemon.stateDirectory, leaving: 500_000)
      try await gpsd.feed(drive.epochs.dropFirst(5))
      let failing = try await daemon.waitForStatus("trouble") { $0.storage.pending > 0 }
      #expect(failing.storage.failure?.contains("the disk is full: it has only ") == true)
      try await daemon.waitForFix(drive.epochs[drive.epochs.count - 3].timestamp)
      #expect(try await daemon.ctl("remove", "place-1").status == 0)
      let status = try await daemon.status()
      #expect(status.storage.pending == 0 && status.storage.failure == nil)
      #expect(status.lastSequence == 25)
    }
  }
}
