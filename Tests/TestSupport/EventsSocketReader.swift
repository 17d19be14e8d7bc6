import LinuxSystem
import Synchronization

/// A subscriber of the events socket that reconnects whenever it loses the connection.
package final class EventsSocketReader: Sendable {
  private let path: String
  private let connections = Mutex<[[String]]>([])

  /// Makes a subscriber of the socket at a path; it connects in ``run()``.
  package init(path: String) {
    self.path = path
  }

  /// The lines of each connection that got any.
  package var linesByConnection: [[String]] { connections.withLock { $0 } }

  /// All lines, in the order in which they came.
  package var lines: [String] { connections.withLock { Array($0.joined()) } }

  /// Reads until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      try? await listen()
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  private func listen() async throws {
    let socket = try await StreamSocket.connect(toPath: path)
    var frames = FrameBuffer(delimiter: UInt8(ascii: "\n"), limit: 1 << 20)
    var isFirst = true
    while let bytes = try await socket.read(), !bytes.isEmpty {
      frames.append(bytes)
      while let frame = frames.next() {
        guard case .frame(let line) = frame else { continue }
        let text = String(decoding: line, as: UTF8.self)
        connections.withLock { connections in
          if isFirst { connections.append([]) }
          connections[connections.count - 1].append(text)
        }
        isFirst = false
      }
    }
  }
}
