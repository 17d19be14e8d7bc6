import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Varlink

/// Requests that take long to read.
@Suite(.timeLimit(.minutes(10))) struct RequestReaderTests {
  /// Parameters that aren't read before somebody lets them.
  private struct SlowText: Decodable {
    static let mayEnd = DispatchSemaphore(value: 0)
    /// How many are being read, and how many were at once.
    static let counts = Mutex((now: 0, most: 0))

    init(from decoder: any Decoder) throws {
      Self.counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
      defer { Self.counts.withLock { $0.now -= 1 } }
      guard Self.mayEnd.wait(timeout: .now() + 300) == .success else {
        throw VarlinkError("org.example.slow.NeverLet", message: "nobody was answered meanwhile")
      }
    }
  }

  private static let interface = """
    interface org.example.slow

    # Takes its time.
    method Read(text: string) -> ()

    # Lets so many be read.
    method Let(number: int) -> ()

    error NeverLet (message: string)

    """

  private func server() throws -> VarlinkServer {
    var limits = VarlinkLimits.patient
    limits.maximumMessageBytesPerUser = 1 << 28
    let interface = try VarlinkInterface(
      text: Self.interface,
      methods: [
        "Read": .call { (_: SlowText, _) in NoParameters() },
        "Let": .call { (input: [String: Int], _) in
          for _ in 0..<(input["number"] ?? 0) { SlowText.mayEnd.signal() }
          return NoParameters()
        },
      ], failure: { VarlinkError("org.example.things.InternalError", message: "\($0)") })
    return try VarlinkServer(
      interfaces: [interface, ExampleService().interface()], faults: "org.example.things",
      information: VarlinkInformation(vendor: "", product: "", version: "", url: ""),
      limits: limits)
  }

  /// More than there are threads for all tasks together.
  @Test func `others are answered while long requests are read one after the other`() async throws {
    let server = try server()
    let count = ProcessInfo.processInfo.processorCount + 2
    let text = String(repeating: "x", count: RequestReader.long)
    try await withThrowingTaskGroup { group in
      for _ in 0..<count {
        group.addTask {
          try await withCaller(of: server) { caller in
            try await caller.send(
              #"{"method":"org.example.slow.Read","parameters":{"text":"\#(text)"}}"#)
            #expect(try await caller.receive() == #"{"parameters":{}}"#)
          }
        }
      }
      while SlowText.counts.withLock({ $0.now }) == 0 { await Task.yield() }
      try await withCaller(of: server) { caller in
        try await caller.send(
          #"{"method":"org.example.slow.Let","parameters":{"number":\#(count)}}"#)
        #expect(try await caller.receive() == #"{"parameters":{}}"#)
      }
      try await group.waitForAll()
    }
    #expect(SlowText.counts.withLock { $0.most } == 1)
  }
}
