import CLinux
import Dispatch
import Glibc
import Synchronization

/// Lets tasks wait for descriptors without holding up a thread each.
///
/// One thread waits in epoll for all of them. At most one task may wait to read a descriptor, one to
/// write it and one for its other end to hang up; whoever waits keeps the descriptor open until the wait
/// has ended.
///
/// The thread is an executor too: a task that runs there and waits for a descriptor goes on without waking
/// another thread. See ``EventLoop``.
package final class Poller: SerialExecutor, TaskExecutor {
  /// The process's poller; its thread starts with the first use and stays.
  package static let shared = Poller(label: "geofenced.poller")

  /// What a task waits for.
  package enum Interest: Sendable, CaseIterable {
    case reading
    case writing

    /// The other end closed its socket, or the connection failed.
    case hangUp
  }

  private let state = Mutex(PollerState())

  /// A poller whose thread bears a name and stays until ``stop()``.
  init(label: String) {
    DispatchQueue(label: label).async { self.run() }
  }

  /// Runs a job on the thread, after those that were given to it before.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustWake = state.withLock { state in
      state.jobs.append(job)
      return state.endSleep()
    }
    if mustWake { wake() }
  }

  /// Lets all other jobs of the thread go first, without waking another thread as `Task.yield()` does.
  ///
  /// A job that took long lets the others have as much time, even those that do one thing after the other and
  /// have nothing to run in between.
  package func yield() async {
    await withCheckedContinuation { continuation in
      let mustWake = state.withLock { state in
        state.yielding.append(continuation)
        state.lastYield = .now
        return state.endSleep()
      }
      if mustWake { wake() }
    }
  }

  /// Ends the thread when it has run the jobs that it has.
  ///
  /// No task may be waiting for a descriptor or a time then.
  func stop() {
    let mustWake = state.withLock { state in
      state.isStopped = true
      return state.endSleep()
    }
    if mustWake { wake() }
  }

  /// Waits until a descriptor can be read or written; false when the time was over first.
  ///
  /// - Throws: `CancellationError`, or the ``Errno`` with which the descriptor can't be watched.
  package func wait(
    for interest: Interest, on descriptor: CInt, timeout: Duration? = nil
  ) async throws -> Bool {
    try await wait(
      for: PollerState.Wish(descriptor: descriptor, interest: interest), timeout: timeout)
  }

  /// Waits for a time, without needing a descriptor that the process may not have.
  ///
  /// The first sleep on one of the standard library's clocks makes a timer descriptor, and ends the
  /// process when there is none left.
  ///
  /// - Throws: `CancellationError`.
  package func sleep(for duration: Duration) async throws {
    _ = try await wait(for: nil, timeout: duration)
  }

  /// - Parameter isolation: The caller's. A closure that is passed to the standard library has it only if it
  ///   uses it: otherwise the wait would begin and end on another thread.
  private func wait(
    for wish: PollerState.Wish?, timeout: Duration?, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    let outcome = await withTaskCancellationHandler {
      _ = isolation
      return await withCheckedContinuation { continuation in
        let waiter = PollerState.Waiter(
          wish: wish,
          deadline: timeout.map { ContinuousClock.now.advanced(by: $0) },
          continuation: continuation)
        if let outcome = start(waiter, id: id) { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> PollerState.Waiter? in
        if let waiter = state.remove(id) { return waiter }
        state.cancelled.insert(id)
        return nil
      }
      waiter?.continuation.resume(returning: .cancelled)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    switch outcome {
    case .ready: return true
    case .timedOut: return false
    case .cancelled: throw CancellationError()
    case .failed(let error): throw error
    }
  }

  /// Forgets a descriptor that is about to be closed.
  package func forget(_ descriptor: CInt) {
    _ = linux_epoll_remove(state.withLock { $0.epoll }, descriptor)
  }

  /// Registers a waiter; an outcome means that there is nothing to wait for.
  private func start(_ waiter: PollerState.Waiter, id: UInt64) -> PollerState.Outcome? {
    let (outcome, mustWake) = state.withLock { state -> (PollerState.Outcome?, Bool) in
      if state.cancelled.remove(id) != nil { return (.cancelled, false) }
      state.waiters[id] = waiter
      if let wish = waiter.wish {
        precondition(state.wishes[wish] == nil, "two tasks wait for the same descriptor")
        state.wishes[wish] = id
        guard state.open(), state.arm(wish.descriptor) else {
          let error = Errno.last
          _ = state.remove(id)
          return (.failed(error), false)
        }
      }
      // The thread may be asleep past this deadline.
      return (nil, waiter.deadline != nil && state.endSleep())
    }
    if mustWake { wake() }
    return outcome
  }

  private func wake() {
    let wakeUp = state.withLock { $0.wakeUp }
    var one: UInt64 = 1
    _ = unsafe write(wakeUp, &one, MemoryLayout.size(ofValue: one))
  }

  /// Until it is stopped: runs jobs, resumes tasks that yielded, sleeps, and resumes tasks whose wait is over.
  private func run() {
    var ready = [linux_ready](repeating: linux_ready(), count: 64)
    // Kept for their memory.
    var jobs: [UnownedJob] = []
    // How many of the jobs are of tasks whose wait has just ended.
    var resumed = 0
    var yielding: [CheckedContinuation<Void, Never>] = []
    var debt: PollerState.Debt?
    var finished: [(CheckedContinuation<PollerState.Outcome, Never>, PollerState.Outcome)] = []
    // Meanwhile a task that wants to wait for a descriptor gets the error that too many files are open.
    while !state.withLock({ $0.open() }) { usleep(10_000) }
    let epoll = state.withLock { $0.epoll }
    while true {
      // Jobs that other jobs make ready run too before descriptors are asked, but only for some time.
      var now = ContinuousClock.now
      let end = now + Self.longestTurn
      while run(&jobs, after: resumed, until: end, &now, &debt) { resumed = 0 }
      resumed = 0
      if let end = debt?.end, now >= end { debt = nil }
      if debt == nil {
        state.withLock { swap(&$0.yielding, &yielding) }
        for continuation in yielding { continuation.resume() }
        yielding.removeAll(keepingCapacity: true)
      }
      let patience = debt?.patience
      guard let timeout = state.withLock({ $0.beginSleep(at: now, patience: patience) }) else {
        return
      }
      var count = unsafe linux_epoll_wait(epoll, &ready, CInt(ready.count), timeout)
      // A process that is stopped and goes on is told of no descriptor: what is ready goes before what
      // is late.
      if count < 0 { count = unsafe linux_epoll_wait(epoll, &ready, CInt(ready.count), 0) }
      // The debt ends when the others have nothing to run, or leave the thread idle for too long.
      if timeout > 0, let idleTime = debt?.idleTime {
        let left = idleTime - now.duration(to: .now)
        if count == 0 || left <= .zero { debt = nil } else { debt?.idleTime = left }
      }
      state.withLock { $0.takeFinished(ready.prefix(Int(max(0, count))), into: &finished) }
      guard !finished.isEmpty else { continue }
      // Tasks whose wait is over go before jobs that had no turn: the receiver before clients that ask much.
      state.withLock { swap(&$0.jobs, &jobs) }
      for (continuation, outcome) in finished { continuation.resume(returning: outcome) }
      finished.removeAll(keepingCapacity: true)
      resumed = state.withLock { state in
        defer { state.jobs += jobs }
        return state.jobs.count
      }
      jobs.removeAll(keepingCapacity: true)
    }
  }

  /// For how long jobs are run before descriptors are asked again.
  private static let longestTurn = Duration.milliseconds(1)

  /// Runs what was to be run when it begins.
  ///
  /// - Parameters:
  ///   - jobs: where to put it meanwhile; empty.
  ///   - resumed: how many are run though the time is over, and one more.
  ///   - now: when the last job ended; the time of those that were resumed is taken in one.
  ///   - debt: what is owed from now on where one that was long yields.
  /// - Returns: whether that was all and there was something, so that more may have come.
  private func run(
    _ jobs: inout [UnownedJob], after resumed: Int, until end: ContinuousClock.Instant,
    _ now: inout ContinuousClock.Instant, _ debt: inout PollerState.Debt?
  ) -> Bool {
    state.withLock { swap(&$0.jobs, &jobs) }
    guard !jobs.isEmpty else { return false }
    defer { jobs.removeAll(keepingCapacity: true) }
    let (serial, task) = unsafe (asUnownedSerialExecutor(), asUnownedTaskExecutor())
    var done = 0
    for job in jobs {
      unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: task)
      done += 1
      guard done >= resumed else { continue }
      let began = now
      now = .now
      if let new = PollerState.Debt(from: began, to: now),
        state.withLock({ $0.hasYielded(since: began) })
      {
        debt = new
      }
      if done > resumed, now > end { break }
    }
    guard done < jobs.count else { return now <= end }
    state.withLock { $0.jobs.insert(contentsOf: jobs[done...], at: 0) }
    return false
  }
}
