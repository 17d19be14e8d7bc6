import Foundation
import Geofencing
import Systemd
import TestSupport
import Testing

@testable import GeofenceDaemon
@testable import Positioning

/// What the operator is told of troubles that come and go.
@Suite(.timeLimit(.minutes(10))) struct ToldTroubleTests {
  /// In a process of its own, whose standard error it is.
  @Test func `each trouble is told once, and its end`() async {
    await #expect(processExitsWith: .success) {
      var ends: [CInt] = [0, 0]
      try #require(pipe(&ends) == 0 && dup2(ends[1], 2) == 2)
      let machine = try MonitoringMachine()
      let diagnostics = ReceiverDiagnostics()
      let served = try ConsumersServed(on: machine, diagnostics: diagnostics) {
        $0.storage.maximumPending = 2
      }
      let (clock, log) = (ManualClock(), OperatorLog())
      let (monitoring, changes) = (served.monitoring, served.methods.changes)
      let service = MaintenanceService(
        monitoring: monitoring, status: served.methods.status, diagnostics: diagnostics, log: log,
        notifier: ServiceNotifier(), changes: changes, listeners: [],
        clock: DaemonClock(sleeping: clock, uptime: { clock.now.offset }, now: { at(0) }))
      // What is in use is looked after every five seconds.
      diagnostics.setWatched(true)

      /// Lets it look once more, and waits until it sleeps again.
      func look() async {
        clock.advance(by: .seconds(5))
        await waitForSleep()
      }
      func waitForSleep() async {
        while clock.deadlines != [clock.now.advanced(by: .seconds(5))] { await Task.yield() }
      }
      /// Publishes what is known of the receiver; it is looked at twice.
      func tell(_ change: (inout ReceiverStatus) -> Void) async {
        var status = diagnostics.status
        change(&status)
        diagnostics.publish(status)
        await look()
        await look()
      }
      func breakEvents(because reason: String) throws {
        try machine.runSQL(
          """
          DROP TRIGGER IF EXISTS full; CREATE TRIGGER full BEFORE INSERT ON event
          BEGIN SELECT RAISE(ABORT, '\(reason)'); END
          """)
      }
      /// Crosses the line so many times in all.
      var second = 0.0
      func cross(_ letters: String) async throws {
        for letter in letters {
          let place = try Coordinate(validLatitude: letter == "i" ? 47 : 47.01, longitude: 8)
          await monitoring.process(
            Location(timestamp: at(second), coordinate: place, horizontalAccuracy: 3))
          second += 1
        }
      }

      try await withThrowingTaskGroup { group in
        group.addTask { try? await service.run() }
        await waitForSleep()
        await tell { $0.disconnection = "gpsd is away" }
        await tell { ($0.disconnection, $0.source) = (nil, "gpsd 3.22") }
        await tell { $0.isSilent = true }
        await tell { $0.isSilent = false }

        _ = try await monitoring.add(
          circle(), identifier: "home", to: MonitorKey(user: 1000, name: "default"),
          assuming: .unsatisfied)
        try breakEvents(because: "only 100 KiB are left")
        try await cross("iioooo")
        await look()
        // It is the same trouble, whatever the numbers.
        try breakEvents(because: "only 90 KiB are left")
        try await cross("iioooo")
        await look()
        await look()
        try machine.runSQL("DROP TRIGGER full")
        try await cross("o")
        await look()
        await look()
        group.cancelAll()
        try await group.waitForAll()
      }
      let text = try log.end(readingFrom: ends[0])
      let told = text.split(separator: "\n").compactMap { line in
        line.hasPrefix("geofenced: ") ? line.dropFirst(11) : nil
      }
      let expected = [
        "No receiver, trying again: gpsd is away", "Connected to gpsd 3.22",
        "No receiver, trying again: gpsd has no receiver: is it plugged in?",
        "The receiver is heard again, or no longer needed",
        "Events can't be stored and wait in memory: only 100 KiB are left",
        "Events can be stored again",
        "2 events were lost meanwhile: more waited than are kept in memory", "the last word",
      ]
      #expect(told.count == expected.count, "\(text)")
      for (line, beginning) in zip(told, expected) { #expect(line.hasPrefix(beginning)) }
    }
  }
}
