import LinuxSystem
import Synchronization
import TestSupport
import Varlink

/// A clock for the limit on requests, which stands still until a test moves it.
final class RequestClock: Sendable {
  private let time = Mutex(ContinuousClock.now)
  var now: ContinuousClock.Instant { time.withLock { $0 } }
  func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

/// A small service with a method of every sort.
struct ExampleService {
  static let text = """
    # Things to try.
    interface org.example.things

    type Point (x: int, y: ?float)
    type Colour (red, dark_green)

    # Returns what it is given.
    method Echo(text: string) -> (text: string)

    # Takes a value of every type.
    method Draw(
      points: []Point, colour: ?Colour, sizes: ?[string]int, filled: ?bool,
      weights: ?[][]float, extra: ?object
    ) -> (count: int)

    # Counts from 1; replies "to" times.
    method Count(to: int) -> (number: int)

    # Replies once and then never again.
    method Wait() -> (number: int)

    # Replies as fast as it can, for ever.
    method Flood() -> (text: string)

    # Fails in one of several ways.
    method Fail(how: string) -> ()

    error TooSmall (minimum: int)
    error InternalError (message: string)
    error MessageTooLong (message: string)
    error MalformedMessage (message: string)
    error TooManyRequests (message: string)
    error TooManyConnections (message: string)

    """

  struct Text: Codable, Hashable, Sendable { var text: String }
  struct Number: Codable, Hashable, Sendable { var number: Int }
  struct Failure: Codable, Sendable { var how: String }
  struct Count: Codable, Sendable { var to: Int }
  struct Minimum: Codable, Hashable, Sendable { var minimum: Int }
  struct Point: Codable, Sendable {
    var x: Int
    var y: Double?
  }
  struct Drawing: Codable, Sendable {
    var points: [Point]
  }
  struct Broken: Error {}

  /// What the handlers did, in order.
  final class Diary: Sendable {
    private let entries = Mutex<[String]>([])
    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  let diary = Diary()

  /// A server whose callers have all the time that a test may take, unless it is adjusted.
  func server(
    _ adjust: (inout VarlinkLimits) -> Void = { _ in },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) throws -> VarlinkServer {
    var limits = VarlinkLimits.patient
    adjust(&limits)
    return try VarlinkServer(
      interfaces: [interface()], faults: "org.example.things",
      information: VarlinkInformation(
        vendor: "Example", product: "Things", version: "1.2", url: "https://example.org"),
      limits: limits, now: now)
  }

  func interface() throws -> VarlinkInterface {
    try VarlinkInterface(
      text: Self.text, methods: methods,
      failure: { VarlinkError("org.example.things.InternalError", message: "\($0)") })
  }

  var methods: [String: VarlinkMethod] {
    [
      "Echo": VarlinkMethod.call { [diary] (input: Text, call) in
        diary.note("\(call.isOneway ? "oneway " : "")\(input.text)")
        return input
      }.whenRefused { [diary] _ in diary.note("refused Echo") },
      "Draw": .call { (input: Drawing, _) in ["count": input.points.count] },
      "Count": .stream { (input: Count, _, replies: VarlinkReplies<Number>) in
        guard input.to > 0 else {
          throw VarlinkError("org.example.things.TooSmall", Minimum(minimum: 1))
        }
        for number in 1..<input.to { try await replies.send(Number(number: number)) }
        return Number(number: input.to)
      },
      "Wait": .stream { [diary] (_: NoParameters, call, replies: VarlinkReplies<Number>) in
        try call.requireMore()
        try await replies.send(Number(number: 1))
        do {
          while true { try await ContinuousClock().sleep(for: .seconds(3600)) }
        } catch {
          diary.note("stopped waiting")
          throw error
        }
      },
      "Flood": .stream { [diary] (_: NoParameters, _, replies: VarlinkReplies<Text>) in
        let text = Text(text: String(repeating: "x", count: 10_000))
        do {
          while true { try await replies.send(text) }
        } catch {
          diary.note("stopped flooding")
          throw error
        }
      },
      "Fail": .call { (input: Failure, call) -> NoParameters in
        switch input.how {
        case "typed": throw VarlinkError("org.example.things.TooSmall", Minimum(minimum: 3))
        case "peer": throw VarlinkError("org.example.things.TooSmall", ["uid": call.user])
        case "refused": throw VarlinkError("org.varlink.service.PermissionDenied")
        default: throw Broken()
        }
      },
    ]
  }
}

/// A caller that sends whatever bytes it likes.
final class RawCaller: Sendable {
  let socket: StreamSocket
  private let frames = Mutex(FrameBuffer(delimiter: 0, limit: 1 << 20))

  init(_ socket: StreamSocket) { self.socket = socket }

  /// Sends messages, each with its zero byte.
  func send(_ messages: String...) async throws {
    try await socket.write(messages.flatMap { Array($0.utf8) + [0] })
  }

  /// The next message; nil at the end of the connection.
  func receive() async throws -> String? {
    while true {
      if case .frame(let message) = frames.withLock({ $0.next() }) {
        return String(decoding: message, as: UTF8.self)
      }
      do {
        guard let bytes = try await socket.read(timeout: .untilItHangs) else {
          throw Errno.timedOut
        }
        if bytes.isEmpty { return nil }
        frames.withLock { $0.append(bytes) }
      } catch let error as Errno where error == .connectionReset {
        return nil
      }
    }
  }

  func receiveAll() async throws -> [String] {
    var all: [String] = []
    while let message = try await receive() { all.append(message) }
    return all
  }
}

/// Serves one end of a pair of sockets while the body uses the other; returns when the server is
/// done with the connection, which it must be once the body has closed it.
func withCaller(
  of server: VarlinkServer, _ body: (RawCaller) async throws -> Void
) async throws {
  let (ours, theirs) = try StreamSocket.pair()
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { await server.serve(theirs) }
    defer { ours.shutDown() }
    try await body(RawCaller(ours))
    ours.shutDown()
    try await group.waitForAll()
  }
}
