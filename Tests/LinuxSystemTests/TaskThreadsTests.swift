import Dispatch
import Synchronization
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(10))) struct TaskThreadsTests {
  /// Holds up each thread that comes until as many have.
  private final class Meeting: Sendable {
    private let size: Int
    private let arrived = Atomic(0)
    private let all = DispatchSemaphore(value: 0)

    init(size: Int) { self.size = size }

    /// False where the others don't come.
    func wait() -> Bool {
      let isLast = arrived.add(1, ordering: .relaxed).newValue == size
      if isLast { for _ in 1..<size { all.signal() } }
      return isLast || all.wait(timeout: .now() + 300) == .success
    }
  }

  @Test func `as many tasks run at the same time as there are threads`() async {
    let threads = TaskThreads(label: "geofenced.test", count: 3)
    let meeting = Meeting(size: 3)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 1...3 { group.addTask(executorPreference: threads) { meeting.wait() } }
      for await hasMet in group { #expect(hasMet) }
    }
  }

  @Test func `no job waits for one that takes long while there is a thread for it`() async {
    let threads = TaskThreads(label: "geofenced.test", count: 2)
    let meeting = Meeting(size: 2)
    await withTaskGroup(of: Bool.self) { group in
      // The first holds up a thread until all of the others, which follow each other, are done.
      group.addTask(executorPreference: threads) { meeting.wait() }
      group.addTask(executorPreference: threads) {
        for _ in 1...1000 { await Task.yield() }
        return meeting.wait()
      }
      for await hasMet in group { #expect(hasMet) }
    }
  }

  @Test func `what a task starts runs there too, however much it is`() async {
    let threads = TaskThreads(label: "geofenced.test", count: 2)
    let sum = await withTaskExecutorPreference(threads) {
      await withTaskGroup(of: (number: Int, isHere: Bool).self) { group in
        for number in 1...1000 {
          group.addTask {
            await Task.yield()
            return (number, withUnsafeCurrentTask { $0?.unownedTaskExecutor } != nil)
          }
        }
        return await group.reduce(into: 0) { $0 += $1.isHere ? $1.number : 0 }
      }
    }
    #expect(sum == 500_500)
  }
}
