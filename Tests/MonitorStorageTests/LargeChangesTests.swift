import Geofencing
import MonitorStorage
import SQLite
import TestSupport
import Testing

/// What is too much for any disk.
@Suite struct LargeChangesTests: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  @Test func `what adds more than the disk has room for is refused before it is written`() throws {
    func append(_ decisions: [Decision], adding bytes: Int) throws -> [LoggedEvent] {
      try log.append(
        decisions, status: { _ in nil }, lastFix: nil, recorded: at(0), adding: bytes,
        with: { try $0.put(circle(), as: home, status: satisfied, added: at(0)) })
    }
    for decisions in [[], [Decision(transition())], [Decision(transition(home, .unmonitored))]] {
      let error = #expect(throws: SQLiteError.self) {
        _ = try append(decisions, adding: 1 << 60)
      }
      #expect(error?.message.contains("the disk is full") == true)
      #expect(try store.record(for: home) == nil)
      #expect(log.lastSequence == 0)
    }
    #expect(try append([], adding: 1 << 10).isEmpty)
    #expect(try store.record(for: home) != nil)
  }
}
