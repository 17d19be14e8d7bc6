package import LinuxSystem
import Synchronization

/// Serves interfaces to whoever connects, within limits.
///
/// The requests of a connection are answered one at a time, in order. A caller that makes mistakes gets an error or
/// loses its connection; the server goes on.
package struct VarlinkServer: Sendable {
  let interfaces: [String: VarlinkInterface]
  let limits: VarlinkLimits
  let rates: RequestRates
  let memory: MessageMemory
  let readers = PerUser { RequestReader() }

  /// The clock by which requests are counted.
  let now: @Sendable () -> ContinuousClock.Instant

  private let faultInterface: String

  /// Makes a server of some interfaces, and of `org.varlink.service`, which tells about them.
  ///
  /// - Parameters:
  ///   - interfaces: The interfaces to serve.
  ///   - faults: The name of the interface that describes every ``VarlinkFault``, each with the
  ///     parameters `(message: string)`.
  ///   - information: The program's part of the answer to `GetInfo`.
  ///   - limits: The limits of what callers may do.
  ///   - now: The clock by which requests are counted.
  /// - Throws: if two interfaces have the same name, or a fault isn't described.
  package init(
    interfaces: [VarlinkInterface], faults: String, information: VarlinkInformation,
    limits: VarlinkLimits = VarlinkLimits(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) throws(VarlinkDescriptionError) {
    let all = interfaces + [try .service(information, describing: interfaces)]
    var table: [String: VarlinkInterface] = [:]
    for interface in all where table.updateValue(interface, forKey: interface.name) != nil {
      throw VarlinkDescriptionError(line: nil, problem: "\(interface.name) is served twice")
    }
    let sentence = VarlinkType.structure([VarlinkType.Field(name: "message", type: .string)])
    for fault in VarlinkFault.allCases
    where table[faults]?.description.errors[fault.rawValue] != sentence {
      throw VarlinkDescriptionError(
        line: nil, problem: "\(faults) doesn't describe 'error \(fault.rawValue) (message: string)'"
      )
    }
    self.interfaces = table
    self.faultInterface = faults
    self.limits = limits
    self.now = now
    rates = RequestRates(perSecond: limits.maximumRequestsPerSecond)
    memory = MessageMemory(
      limit: max(
        limits.maximumMessageBytesPerUser, limits.maximumMessageBytes + Self.beyondOneMessage))
  }

  /// How much longer than the longest request a reply may be, in bytes.
  ///
  /// A reply may tell what one request has brought together with other things.
  private static let beyondOneMessage = 1 << 19

  /// Accepts and serves connections until the task is cancelled, and then returns.
  package func run(on listener: ListeningSocket) async {
    let connections = ConnectionCounter(limits)
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled, let socket = try? await listener.accept() {
        guard let user = try? socket.user else { continue }
        let admission = connections.enter(uid: user)
        if case .dismissed(let sentence) = admission {
          // Nothing was written to this socket before, so the write doesn't have to wait.
          try? await socket.write(refusal(sentence) + [0], timeout: .zero)
          continue
        }
        group.addTask {
          switch admission {
          case .served: await VarlinkSession(server: self, socket: socket, user: user).run()
          case .refused(let sentence): await socket.sayGoodbye(refusal(sentence), limits: limits)
          case .dismissed: break
          }
          connections.leave(uid: user, admission)
        }
      }
      group.cancelAll()
    }
  }

  /// Serves one connection until its end.
  package func serve(_ socket: StreamSocket) async {
    guard let user = try? socket.user else { return }
    await VarlinkSession(server: self, socket: socket, user: user).run()
  }

  func error(_ fault: VarlinkFault, _ message: String) -> VarlinkError {
    VarlinkError("\(faultInterface).\(fault.rawValue)", message: message)
  }

  /// The error for a user whose messages have used up their memory.
  func noRoom(forUser user: UInt32) -> VarlinkError {
    error(
      .tooManyRequests,
      "user \(user) has too many long messages under way: read the replies, and send long requests "
        + "one after the other")
  }

  /// The message for a caller that isn't served.
  private func refusal(_ sentence: String) -> [UInt8] {
    error(.tooManyConnections, sentence).reply
  }
}
