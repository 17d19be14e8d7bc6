import ControlInterface
import Foundation
import Geofencing
import Glibc
import Synchronization
import TestSupport
import Testing
import Varlink

extension InTrouble {
  /// Whatever is killed, and whenever: every event is handled, in order, and again only if nobody had
  /// acknowledged it.
  @Suite struct CrashMatrixTests {
    /// What a round kills.
    private enum Victim: CaseIterable {
      case programAtAnyTime
      case programBeforeAcknowledging
      case programAfterAcknowledging
      case daemon
      case both
    }

    /// A wish that comes once.
    private final class Stop: Sendable {
      private let made = Mutex(false)

      var isMade: Bool { made.withLock { $0 } }

      func make() { made.withLock { $0 = true } }
    }

    private static let rounds = 90
    private static let monitor = "matrix"

    /// `event-handler`, beside the tests.
    private static let handler = URL(filePath: DaemonProcess.program).deletingLastPathComponent()
      .appending(path: "event-handler").path()

    private func start(
      _ daemon: DaemonProcess, _ file: String, dying: (word: String, count: Int)? = nil
    ) throws -> TestSupport.Command.Child {
      let log = open(
        daemon.folder + "/handler.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      defer { close(log) }
      return try Command(
        ["env", "GEOFENCED_SOCKET=\(daemon.controlSocket)", "SWIFT_BACKTRACE=enable=no"]
          + [Self.handler, file, Self.monitor] + (dying.map { [$0.word, "\($0.count)"] } ?? [])
      ).spawn(input: nil, output: log, errors: log)
    }

    /// Makes events until it is stopped, also while the daemon comes and goes.
    ///
    /// - Returns: the conditions whose removal was answered.
    private func makeEvents(_ daemon: DaemonProcess, until stop: Stop) async -> Set<String> {
      var removed: Set<String> = []
      var number = 0
      while !stop.isMade {
        do {
          let connection = try await daemon.connect()
          let circle = try Shapes.circle(latitude: 48, longitude: 16)
          while !stop.isMade {
            number += 1
            let name = ConditionName(monitor: Self.monitor, identifier: "event-\(number)")
            try await connection.call(
              Add.self,
              Add.Parameters(
                monitor: Self.monitor, identifier: name.identifier, condition: circle,
                assuming: .satisfied))
            try await connection.call(Remove.self, name)
            removed.insert(name.identifier)
            try await Task.sleep(for: .milliseconds(2))
          }
        } catch {
          // The daemon is being killed.
          try? await Task.sleep(for: .milliseconds(2))
        }
      }
      return removed
    }

    @Test func `every event is handled at least once and in order, whatever is killed`()
      async throws
    {
      let seed = UInt64.random(in: 0 ... .max)
      var random = SplitMix64(seed: seed)
      try await DaemonProcess.with(
        DaemonProcess.configuration(gpsdPort: 9, more: "[Storage]\nEventRetention=1000000")
      ) { daemon in
        let file = daemon.folder + "/handled"
        func handled() throws -> HandledEvents {
          try HandledEvents((try? String(contentsOfFile: file, encoding: .utf8)) ?? "")
        }
        let stop = Stop()
        let removed = try await withThrowingTaskGroup(of: Set<String>.self) { group in
          group.addTask { await makeEvents(daemon, until: stop) }
          defer { stop.make() }
          for _ in 0..<Self.rounds {
            let victim = try #require(Victim.allCases.randomElement(using: &random))
            let instant = Duration.milliseconds(Int.random(in: 0...150, using: &random))
            let count = Int.random(in: 1...12, using: &random)
            let child: TestSupport.Command.Child =
              switch victim {
              case .programBeforeAcknowledging: try start(daemon, file, dying: ("handled", count))
              case .programAfterAcknowledging:
                try start(daemon, file, dying: ("acknowledged", count))
              default: try start(daemon, file)
              }
            switch victim {
            case .programBeforeAcknowledging, .programAfterAcknowledging:
              #expect(await child.end() == 9, "\(daemon.folder)")
            case .programAtAnyTime:
              try await Task.sleep(for: instant)
              _ = kill(child.identifier, SIGKILL)
              _ = await child.end()
            case .daemon:
              // A program that has opened its monitor goes on by itself with the daemon that comes
              // back.
              let start = try handled().words.count
              try await daemon.wait(for: "the program's first event (seed \(seed))") {
                try handled().words.count > start ? true : nil
              }
              try await Task.sleep(for: instant)
              try await daemon.crash()
              let before = try handled().words.count
              try await daemon.wait(for: "more events (seed \(seed))") {
                try handled().words.count > before ? true : nil
              }
              _ = kill(child.identifier, SIGKILL)
              _ = await child.end()
            case .both:
              try await Task.sleep(for: instant)
              daemon.kill(SIGKILL)
              _ = kill(child.identifier, SIGKILL)
              _ = await child.end()
              _ = await daemon.end()
              try await daemon.start()
            }
          }
          stop.make()
          return try await group.next() ?? []
        }
        // The last one takes what is left, all but the last of which it can acknowledge.
        let last = try start(daemon, file)
        let events = try await daemon.events().map(event)
        // What was answered has happened, whatever was killed afterwards.
        let ended = events.filter { $0.transition.kind == .unmonitored }
        #expect(removed.subtracting(ended.map(\.transition.key.identifier)) == [], "seed \(seed)")
        #expect(removed.count > Self.rounds)
        let log = events.map(\.sequence)
        try await daemon.wait(for: "the last event (seed \(seed))") {
          try handled().firsts.last == log.last ? true : nil
        }
        _ = kill(last.identifier, SIGKILL)
        _ = await last.end()

        let result = try handled()
        result.expectWhole(log, "seed \(seed)")
        #expect(log.count > Self.rounds)
        #expect(result.repetitions > 0)
      }
    }
  }
}
