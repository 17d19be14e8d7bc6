internal import GeofenceDaemon
internal import LinuxSystem
internal import Synchronization

/// The connections of programs to a daemon in this process: pairs of sockets, and no listener.
final class SimulatedConnections: Sendable {
  /// The time from a start of the daemon to its end.
  private struct Life: Sendable {
    let daemon: InProcessDaemon
    let sockets: AsyncStream<StreamSocket>
    let arrivals: AsyncStream<StreamSocket>.Continuation

    /// Ends when all connections are closed.
    let closed: AsyncStream<Never>
    let closing: AsyncStream<Never>.Continuation
  }

  /// How many connections may wait for being served.
  private static let backlog = 128

  private let lives: AsyncStream<Life>
  private let beginning: AsyncStream<Life>.Continuation
  private let current = Mutex<Life?>(nil)

  init() {
    (lives, beginning) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// A new connection.
  ///
  /// - Throws: ``Errno/connectionRefused`` while there is no daemon.
  func connect() throws -> StreamSocket {
    let (client, server) = try StreamSocket.pair()
    guard let life = current.withLock({ $0 }), case .enqueued = life.arrivals.yield(server) else {
      throw Errno.connectionRefused
    }
    return client
  }

  /// Lets programs connect to a daemon.
  func open(to daemon: InProcessDaemon) {
    let (sockets, arrivals) = AsyncStream.makeStream(
      of: StreamSocket.self, bufferingPolicy: .bufferingOldest(Self.backlog))
    let (closed, closing) = AsyncStream.makeStream(of: Never.self)
    let life = Life(
      daemon: daemon, sockets: sockets, arrivals: arrivals, closed: closed, closing: closing)
    current.withLock { $0 = life }
    beginning.yield(life)
  }

  /// Cuts all connections, and returns when nothing is done for them any more.
  func close() async {
    guard let life = current.withLock({ $0.take() }) else { return }
    life.arrivals.finish()
    for await _ in life.closed {}
  }

  /// Turns programs away from now on, and lets go of the daemon.
  func end() {
    current.withLock { $0.take() }?.arrivals.finish()
  }

  /// Serves the connections until the task is cancelled.
  func serve() async {
    for await life in lives {
      await withDiscardingTaskGroup { group in
        for await socket in life.sockets {
          group.addTask { await life.daemon.serve(socket) }
        }
        group.cancelAll()
      }
      life.closing.finish()
    }
  }
}
