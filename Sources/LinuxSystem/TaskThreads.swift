import Dispatch
import Synchronization

/// Threads that run a program's tasks instead of libdispatch's own pool.
///
/// Once that pool has run anything, a timer wakes the process every second until it ends, to see whether
/// the pool needs more threads. The threads of queues aren't looked after like that, so a program whose
/// tasks prefer these sleeps for as long as nothing happens.
package final class TaskThreads: TaskExecutor {
  /// Those of the process.
  ///
  /// What blocks has a thread of its own, so a few are enough on every machine.
  package static let shared = TaskThreads(label: "geofenced.tasks", count: 4)

  private let queues: [DispatchQueue]

  /// How many jobs each queue was given and hasn't ended.
  private let unfinished: Mutex<[Int]>

  /// - Parameters:
  ///   - label: what the threads are called.
  ///   - count: how many jobs may run at the same time; at least one may.
  init(label: String, count: Int) {
    queues = (0..<max(1, count)).map { _ in DispatchQueue(label: label) }
    unfinished = Mutex(queues.map { _ in 0 })
  }

  /// Runs a job after those of the queue that has the fewest.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    let number = unfinished.withLock { counts in
      let number = counts.indices.min { counts[$0] < counts[$1] } ?? 0
      counts[number] += 1
      return number
    }
    queues[number].async { [self] in
      unsafe job.runSynchronously(on: executor)
      unfinished.withLock { $0[number] -= 1 }
    }
  }
}
