import Synchronization

/// An object for each user, shared by all that the user does at the same time.
package final class PerUser<Shared: AnyObject & Sendable>: Sendable {
  private struct Weak {
    weak var shared: Shared?
  }

  private let make: @Sendable () -> Shared
  private let users = Mutex<[UInt32: Weak]>([:])

  package init(_ make: @escaping @Sendable () -> Shared) {
    self.make = make
  }

  /// The object of a user; it lives for as long as somebody has a reference to it.
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
