import CLinux
import Glibc

/// What a ``Poller`` knows of those who wait, and the descriptors with which it waits for them.
struct PollerState: ~Copyable {
  /// Who waits for what: at most one waiter for each interest in a descriptor.
  struct Wish: Hashable {
    let descriptor: CInt
    let interest: Poller.Interest
  }

  struct Waiter {
    /// Nil for a task that only waits for its deadline.
    let wish: Wish?
    let deadline: ContinuousClock.Instant?
    let continuation: CheckedContinuation<Outcome, Never>
  }

  enum Outcome {
    case ready
    case timedOut
    case cancelled
    case failed(Errno)
  }

  /// The time that yielding tasks owe to the other jobs, after one of them has kept those waiting.
  struct Debt {
    /// When the others have had their time.
    let end: ContinuousClock.Instant

    /// How long to wait for the others when they have nothing to run.
    let patience: Duration

    /// How long the thread may be idle for them in all, as between the many steps of one answer.
    var idleTime: Duration

    /// As much time as one job took; nil where that is less than 16 ms.
    init?(from start: ContinuousClock.Instant, to now: ContinuousClock.Instant) {
      let time = start.duration(to: now)
      guard time >= .milliseconds(16) else { return nil }
      end = now + time
      // A small part of it, because the thread is idle then.
      patience = min(time / 16, .milliseconds(10))
      idleTime = time / 4
    }
  }

  /// −1 until there was one to be had, like ``wakeUp``.
  private(set) var epoll: CInt = -1
  private(set) var wakeUp: CInt = -1
  var nextID: UInt64 = 0
  var waiters: [UInt64: Waiter] = [:]
  var wishes: [Wish: UInt64] = [:]
  var cancelled: Set<UInt64> = []
  /// What is to run on the thread, in order.
  var jobs: [UnownedJob] = []
  /// The tasks that let all of those go first.
  var yielding: [CheckedContinuation<Void, Never>] = []
  /// When a task yielded last.
  var lastYield: ContinuousClock.Instant?
  /// Whether the thread sleeps, so that it has to be told of what is new.
  var isAsleep = false
  var isStopped = false

  deinit {
    if epoll >= 0 { close(epoll) }
    if wakeUp >= 0 { close(wakeUp) }
  }

  /// Makes the descriptors that there aren't yet; false, and `errno`, when the process may have no more.
  mutating func open() -> Bool {
    if epoll < 0 { epoll = linux_epoll_create() }
    guard epoll >= 0, wakeUp < 0 else { return epoll >= 0 }
    let descriptor = linux_eventfd()
    guard descriptor >= 0 else { return false }
    guard linux_epoll_arm(epoll, descriptor, 1, 0) == 0 else {
      let error = errno
      close(descriptor)
      errno = error
      return false
    }
    wakeUp = descriptor
    return true
  }

  /// Ends the thread's sleep for what is new; true when it has to be woken for that.
  mutating func endSleep() -> Bool {
    defer { isAsleep = false }
    return isAsleep
  }

  /// For how many milliseconds the thread may sleep: 0 where something is to run, −1 for ever; nil when it ends.
  ///
  /// - Parameter patience: How long to wait for the jobs to which time is owed; nil where none is.
  mutating func beginSleep(at now: ContinuousClock.Instant, patience: Duration?) -> CInt? {
    guard jobs.isEmpty, yielding.isEmpty || patience != nil else { return 0 }
    if isStopped, yielding.isEmpty { return nil }
    isAsleep = true
    let next = waiters.values.lazy.compactMap { $0.deadline }.min()
    guard let patience else { return Self.milliseconds(until: next) }
    let end = now + patience
    return Self.milliseconds(until: next.map { min($0, end) } ?? end)
  }

  /// Milliseconds from now, rounded up so that the thread doesn't spin in the last one; −1 is never.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> CInt {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    return CInt(min(max(0, left.rounded(.up)), 3_600_000))
  }

  /// After a sleep, takes out the tasks whose descriptor is ready or whose time is over.
  mutating func takeFinished(
    _ events: ArraySlice<linux_ready>,
    into finished: inout [(CheckedContinuation<Outcome, Never>, Outcome)]
  ) {
    isAsleep = false
    for event in events {
      if event.descriptor == wakeUp {
        var count: UInt64 = 0
        _ = unsafe read(wakeUp, &count, MemoryLayout.size(ofValue: count))
        _ = linux_epoll_arm(epoll, wakeUp, 1, 0)
        continue
      }
      for interest in Poller.Interest.allCases where event.tells(of: interest) {
        let wish = Wish(descriptor: event.descriptor, interest: interest)
        if let id = wishes[wish], let waiter = remove(id) {
          finished.append((waiter.continuation, .ready))
        }
      }
      // One shot disarmed the other wishes too.
      _ = arm(event.descriptor)
    }
    let now = ContinuousClock.now
    for (id, waiter) in waiters {
      if let deadline = waiter.deadline, deadline <= now {
        _ = remove(id)
        finished.append((waiter.continuation, .timedOut))
      }
    }
  }

  mutating func remove(_ id: UInt64) -> Waiter? {
    guard let waiter = waiters.removeValue(forKey: id) else { return nil }
    if let wish = waiter.wish { wishes[wish] = nil }
    return waiter
  }

  /// Whether somebody yielded at a time or later.
  func hasYielded(since time: ContinuousClock.Instant) -> Bool {
    lastYield.map { $0 >= time } ?? false
  }

  /// Asks epoll for all that is waited for on a descriptor; false, and `errno`, when it can't be watched.
  ///
  /// Under the lock, so that two tasks can't overwrite each other's wish.
  func arm(_ descriptor: CInt) -> Bool {
    func isWished(_ interest: Poller.Interest) -> Bool {
      wishes[Wish(descriptor: descriptor, interest: interest)] != nil
    }
    guard Poller.Interest.allCases.contains(where: isWished) else { return true }
    // Hang-ups are told of in any case (epoll_ctl(2)).
    return linux_epoll_arm(
      epoll, descriptor, isWished(.reading) ? 1 : 0, isWished(.writing) ? 1 : 0) == 0
  }
}

extension linux_ready {
  fileprivate func tells(of interest: Poller.Interest) -> Bool {
    switch interest {
    case .reading: reading != 0
    case .writing: writing != 0
    case .hangUp: hung_up != 0
    }
  }
}
