import Synchronization

/// Which services run at present.
final class RunningServices: Sendable {
  private let names = Mutex<[String]>([])
  private let opened = Atomic(false)

  /// Whether the event log is open; before that no service runs.
  var isLogOpen: Bool { opened.load(ordering: .relaxed) }

  func noteLogOpen() { opened.store(true, ordering: .relaxed) }

  /// The one that was started last, and so has to stop first.
  var last: String? { names.withLock { $0.last } }

  func add(_ name: String) { names.withLock { $0.append(name) } }

  func remove(_ name: String) {
    names.withLock { names in
      if let index = names.lastIndex(of: name) { names.remove(at: index) }
    }
  }
}
