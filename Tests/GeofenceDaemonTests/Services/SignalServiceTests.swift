import Foundation
import Geofencing
import LinuxSystem
import Synchronization
import Systemd
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What signals do while something hangs; in processes of their own, which get them.
@Suite(.timeLimit(.minutes(10))) struct SignalServiceTests {
  @Test func `a configuration that is never read keeps nobody from ending the daemon`() async {
    await #expect(processExitsWith: .exitCode(SignalService.impatientExitCode)) {
      let signals = await ProcessSignals.start()
      let (stop, reloads, began) = (
        StopRequest(), SequenceSignal(latest: 0), SequenceSignal(latest: 0)
      )
      // Each look at the clock is a second after the one before.
      let looks = Atomic(0)
      let clock = DaemonClock(
        sleeping: ContinuousClock(),
        uptime: { .seconds(looks.add(1, ordering: .relaxed).newValue) },
        now: { Timestamp(nanoseconds: 0) })
      let services: [any Service] = [
        SignalService(
          signals: signals, stop: stop, notifier: ServiceNotifier(), reloads: reloads,
          clock: clock, loop: EventLoop(label: "geofenced.test")),
        ReloadService(requests: reloads, stop: stop, notifier: ServiceNotifier()) {
          began.announce(1)
          // Not even when it is cancelled.
          await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
        },
      ]
      try await Supervisor(services).run {
        kill(getpid(), SIGHUP)
        try? await began.wait(after: 0)
        kill(getpid(), SIGTERM)
        await stop.wait()
        kill(getpid(), SIGTERM)
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
    }
  }

  @Test func `what keeps all threads busy doesn't keep the daemon from its end`() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(SignalService.impatientExitCode),
      observing: [\.standardErrorContent]
    ) {
      // Where nothing ends it.
      alarm(540)
      let signals = await ProcessSignals.start()
      let (stop, running, time) = (StopRequest(), RunningServices(), ManualClock())
      let clock = DaemonClock(
        sleeping: time, uptime: { .zero }, now: { Timestamp(nanoseconds: 0) })
      let loop = EventLoop(label: "geofenced.test")
      let guards: [any Service] = [
        SignalService(
          signals: signals, stop: stop, notifier: ServiceNotifier(),
          reloads: SequenceSignal(latest: 0), clock: clock, loop: loop),
        PatienceService(
          stop: stop, running: running, log: OperatorLog(), clock: clock, loop: loop),
      ]
      running.noteLogOpen()
      let threads = BusyThreads()
      let clockLoop = EventLoop(label: "geofenced.test-clock")
      async let _ = clockLoop.run {
        await stop.wait()
        await time.waitForSleepers(1)
        time.advance(by: SignalService.patience)
      }
      try await withTaskExecutorPreference(TaskThreads.shared) {
        try await Supervisor(guards).run {
          await withDiscardingTaskGroup { group in
            for _ in 0..<TaskThreads.count {
              group.addTask { threads.hold { kill(getpid(), SIGTERM) } }
            }
          }
        }
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Ended after 10 seconds"), "\(text)")
  }

  @Test func `several who ask for the configuration meanwhile are answered at once`() async throws {
    let (reloads, began) = (SequenceSignal(latest: 0), SequenceSignal(latest: 0))
    let mayEnd = SequenceSignal(latest: 0)
    let service = ReloadService(
      requests: reloads, stop: StopRequest(), notifier: ServiceNotifier()
    ) {
      began.advance()
      try? await mayEnd.wait(after: 0)
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await service.run() }
      reloads.announce(1)
      try await began.wait(after: 0)
      for number in 2...5 { reloads.announce(Int64(number)) }
      mayEnd.announce(1)
      try await began.wait(after: 1)
      reloads.announce(6)
      try await began.wait(after: 2)
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(began.latest == 3)
  }

  @Test func `a failure is told while another service still hangs`() async throws {
    let hanging = Hanging()
    let failing = Failing(began: hanging.began)
    let error = await #expect(throws: Supervisor.Failure.self) {
      try await Supervisor([hanging, failing], failed: { hanging.end() }).run {
        await StopRequest().wait()
      }
    }
    #expect(error?.service == "failing")
  }

  @Test func `who ends because a service doesn't stop says which`() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(SignalService.impatientExitCode),
      observing: [\.standardErrorContent]
    ) {
      let (stop, running, time) = (StopRequest(), RunningServices(), ManualClock())
      let clock = DaemonClock(
        sleeping: time, uptime: { .zero }, now: { Timestamp(nanoseconds: 0) })
      let patience = PatienceService(
        stop: stop, running: running, log: OperatorLog(), clock: clock,
        loop: EventLoop(label: "geofenced.test"))
      running.noteLogOpen()
      let hanging = Hanging()
      try await Supervisor([patience]).run {
        try await Supervisor(
          [NamedService(name: "other") { await stop.wait() }, hanging], running: running
        )
        .run {
          try? await hanging.began.wait(after: 0)
          stop.make()
          await time.waitForSleepers(1)
          time.advance(by: SignalService.patience)
        }
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Ended after 10 seconds: the hanging service didn't stop"), "\(text)")
  }

  /// A long log takes its time, and nothing is lost.
  @Test func `who is stopped while the event log is being opened ends well`() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(0), observing: [\.standardErrorContent]
    ) {
      let (stop, time) = (StopRequest(), ManualClock())
      let clock = DaemonClock(
        sleeping: time, uptime: { .zero }, now: { Timestamp(nanoseconds: 0) })
      let patience = PatienceService(
        stop: stop, running: RunningServices(), log: OperatorLog(), clock: clock,
        loop: EventLoop(label: "geofenced.test"))
      let hanging = Hanging()
      try await Supervisor([patience, hanging]).run {
        stop.make()
        await time.waitForSleepers(1)
        time.advance(by: SignalService.patience)
        try await SequenceSignal(latest: 0).wait(after: 0)
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Stopped while the event log was being opened"), "\(text)")
  }

  @Test func `what is thrown at the end stops those who guard it`() async throws {
    struct Sentence: Error, Equatable {}
    await #expect(throws: Sentence()) {
      let patience = PatienceService(
        stop: StopRequest(), running: RunningServices(), log: OperatorLog(), clock: .system,
        loop: EventLoop(label: "geofenced.test"))
      try await Supervisor([patience]).run {
        throw Sentence()
      }
    }
  }
}

/// Keeps the threads of all tasks busy.
private final class BusyThreads: Sendable {
  private let count = Atomic(0)

  /// Holds a thread for ever; the one that is the last of them does something first.
  func hold(_ last: () -> Void) {
    if count.add(1, ordering: .relaxed).newValue == TaskThreads.count { last() }
    while true { pause() }
  }
}

/// Ends when it is told to and has been cancelled, and not when it is only cancelled.
private final class Hanging: Service {
  let name = "hanging"
  let began = SequenceSignal(latest: 0)
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func run() async throws {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0 = continuation }
      began.announce(1)
    }
    try? await Task.sleep(for: .seconds(600))
  }

  func end() { waiting.withLock { $0.take() }?.resume() }
}

/// Fails as soon as another one has begun.
private struct Failing: Service {
  let name = "failing"
  let began: SequenceSignal

  func run() async throws {
    try await began.wait(after: 0)
    throw Errno.brokenPipe
  }
}
