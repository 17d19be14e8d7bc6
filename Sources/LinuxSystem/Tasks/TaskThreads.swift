import Dispatch
import Synchronization

/// Threads that run a program's tasks instead of libdispatch's own pool.
///
/// Once that pool has run anything, a timer wakes the process every second until it ends, to see whether
/// the pool needs more threads. The threads of queues aren't looked after like that, so a program whose
/// tasks prefer these sleeps for as long as nothing happens.
package final class TaskThreads: TaskExecutor {
  /// The threads of the process.
  package static let shared = TaskThreads(label: "geofenced.tasks", count: count)

  /// How many the process has.
  ///
  /// What blocks has a thread of its own, so a few are enough on every machine.
  package static let count = 4

  private struct State {
    /// What waits for a thread, in order.
    var jobs: ArraySlice<UnownedJob> = []

    /// The queues that run nothing.
    var idle: [DispatchQueue]
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - label: what the threads are called.
  ///   - count: how many jobs may run at the same time; at least one may.
  init(label: String, count: Int) {
    state = Mutex(State(idle: (0..<max(1, count)).map { _ in DispatchQueue(label: label) }))
  }

  /// Runs a job as soon as a thread has nothing to do, after those that were given before.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let queue = state.withLock { state in
      state.jobs.append(job)
      return state.idle.popLast()
    }
    guard let queue else { return }
    queue.async { [self] in work(on: queue) }
  }

  /// Runs what waits until there is nothing left.
  private func work(on queue: DispatchQueue) {
    let executor = unsafe asUnownedTaskExecutor()
    while let job = next(for: queue) { unsafe job.runSynchronously(on: executor) }
  }

  private func next(for queue: DispatchQueue) -> UnownedJob? {
    state.withLock { state in
      let job = state.jobs.popFirst()
      if job == nil { state.idle.append(queue) }
      return job
    }
  }
}
