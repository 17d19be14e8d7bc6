import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import LinuxSystem

/// Looking a host up, where the name servers take their time.
@Suite(.timeLimit(.minutes(10))) struct HostResolverTests {
  /// Name servers that answer only when they are told to.
  private final class NameServers: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let questions = Mutex<[String]>([])

    /// The hosts that were looked up so far, the one under way included.
    var asked: [String] { questions.withLock { $0 } }

    func lookUp(host: String, port: Int) throws -> [InternetAddress] {
      questions.withLock { $0.append(host) }
      gate.wait()
      throw HostNotFound(host: host, reason: "told so")
    }

    /// Answers one question, also one that is yet to come.
    func answer() { gate.signal() }
  }

  private let servers = NameServers()
  private let clock = ManualClock()
  private let resolver: HostResolver

  init() {
    resolver = HostResolver(lookUp: servers.lookUp)
  }

  private func connecting(to host: String) -> Task<Void, any Error> {
    Task { [resolver, clock] in
      _ = try await StreamSocket.connect(
        host: host, port: 1, timeout: .seconds(5), lookingUpWith: resolver, clock: clock)
    }
  }

  private func waitUntilAsked(_ hosts: [String]) async throws {
    try await wait(for: "question") { servers.asked == hosts }
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func `an address in numbers is asked of nobody, whoever else waits`(address: String) async throws
  {
    let slow = connecting(to: "slow")
    try await waitUntilAsked(["slow"])
    // Nobody listens on that port.
    await #expect(throws: Errno.self) { try await connecting(to: address).value }
    #expect(servers.asked == ["slow"])
    servers.answer()
    await #expect(throws: HostNotFound.self) { try await slow.value }
  }

  @Test func `cancelling ends it at once, though nobody answers`() async throws {
    let task = connecting(to: "slow")
    try await waitUntilAsked(["slow"])
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    servers.answer()
  }

  @Test func `a task that is cancelled already asks nobody`() async throws {
    let task = Task { [resolver] in
      while !Task.isCancelled { await Task.yield() }
      _ = try await resolver.addresses(of: "slow", port: 1)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(servers.asked.isEmpty)
  }

  @Test func `it waits for the second name server, but not for ever`() async throws {
    let task = connecting(to: "slow")
    try await waitUntilAsked(["slow"])
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(29))
    #expect(clock.deadlines.count == 1)
    clock.advance(by: .seconds(1))
    await #expect(throws: Errno.timedOut) { try await task.value }

    // Who asks again while that lookup goes on has its answer.
    let next = connecting(to: "slow")
    await clock.waitForSleepers(1)
    servers.answer()
    await #expect(throws: HostNotFound.self) { try await next.value }
    #expect(servers.asked == ["slow"])

    // What came when nobody waited is asked anew.
    let last = connecting(to: "slow")
    try await waitUntilAsked(["slow", "slow"])
    servers.answer()
    await #expect(throws: HostNotFound.self) { try await last.value }
  }

  @Test func `only one is under way, and who gave up is asked about no more`() async throws {
    let first = connecting(to: "slow")
    try await waitUntilAsked(["slow"])
    let impatient = connecting(to: "other")
    await clock.waitForSleepers(2)
    let patient = connecting(to: "third")
    await clock.waitForSleepers(3)
    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    #expect(servers.asked == ["slow"])

    servers.answer()
    await #expect(throws: HostNotFound.self) { try await first.value }
    servers.answer()
    await #expect(throws: HostNotFound.self) { try await patient.value }
    #expect(servers.asked == ["slow", "third"])
  }
}
