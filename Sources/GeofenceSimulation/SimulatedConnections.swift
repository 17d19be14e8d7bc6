internal import GeofenceDaemon
internal import LinuxSystem
internal import Synchronization

/// The connections of programs to a daemon in this process: pairs of sockets, without a listener.
final class SimulatedConnections: Sendable {
  /// One daemon, from its start to its end, and its connections.
  private struct Life: Sendable {
    let daemon: InProcessDaemon
    let sockets: AsyncStream<StreamSocket>
    let arrivals: AsyncStream<StreamSocket>.Continuation

    /// Ends when all connections are closed.
    let closed: AsyncStream<Never>
    let closing: AsyncStream<Never>.Continuation
  }

  /// How many connections may wait to be served.
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

  /// Cuts all connections, and returns when none of them is served any more.
  func close() async {
    guard let life = current.withLock({ $0.take() }) else { return }
    life.arrivals.finish()
    for await _ in life.closed {}
  }

  /// Refuses connections from now on, and releases the daemon.
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
