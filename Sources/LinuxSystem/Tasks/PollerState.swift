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

  /// What those who yield owe to the others, whom one of them has kept waiting.
  struct Debt {
    /// Until when the others go first.
    let end: ContinuousClock.Instant

    /// For how long is waited for one of them where none has anything to run.
    let patience: Duration

    /// For how long, all in all, the thread may be idle for them, as between the many steps of one answer.
    var idleTime: Duration

    /// As much time as somebody took; nil where that is little.
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
  /// Who lets all of those go first.
  var yielding: [CheckedContinuation<Void, Never>] = []
  /// When the last one of them did.
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
