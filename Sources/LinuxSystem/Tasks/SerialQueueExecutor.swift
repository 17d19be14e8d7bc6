import Dispatch

/// Runs an actor's work on a thread of its own, for work that blocks (a database, a journal).
package final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor whose thread bears a name.
  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedSerialExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
