import Synchronization

/// What each user has one of, which all that it does at a time shares.
package final class PerUser<Shared: AnyObject & Sendable>: Sendable {
  private struct Weak {
    weak var shared: Shared?
  }

  private let make: @Sendable () -> Shared
  private let users = Mutex<[UInt32: Weak]>([:])

  package init(_ make: @escaping @Sendable () -> Shared) {
    self.make = make
  }

  /// That of a user, which is there for as long as somebody keeps it.
  package func shared(by user: UInt32) -> Shared {
    users.withLock { users in
      if let shared = users[user]?.shared { return shared }
      users = users.filter { $0.value.shared != nil }
      let shared = make()
      users[user] = Weak(shared: shared)
      return shared
    }
  }
}
