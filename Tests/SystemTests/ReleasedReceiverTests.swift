import ControlInterface
import Geofencing
import Synchronization
import TestSupport
import Testing

/// A receiver at rest is really released, and an exit meanwhile isn't lost.
///
/// It waits for gpsd's minute, so it runs beside the others.
@Suite(.timeLimit(.minutes(20))) struct ReleasedReceiverTests {
  /// A receiver that stands until it is told to leave; ten of its seconds take a real one.
  private final class Journey: Sendable {
    private enum State {
      case standing
      case leaving
      case left(at: Int)
    }

    private let state = Mutex(State.standing)

    /// Drives north at 14 m/s from the next epoch on.
    func leave() { state.withLock { $0 = .leaving } }

    func epoch(_ number: Int) -> [UInt8] {
      let way = state.withLock { state -> Double in
        switch state {
        case .standing: return 0
        case .leaving: state = .left(at: number)
        case .left: break
        }
        guard case .left(let start) = state else { return 0 }
        return Double(number - start) * 14
      }
      // A minute of latitude is 1854 metres here.
      return nmeaEpoch(
        tenths: number * 10, minutes: 6 + way / 1854, knots: way > 0 ? 27.2 : 0)
    }
  }

  /// A daemon beside a receiver that stands still, looked at again after some time.
  private func withReceiver(
    lookedAtAfter interval: String,
    _ body: (DaemonProcess, GPSDPluggableReceiver, Journey) async throws -> Void
  ) async throws {
    guard GPSDPluggableReceiver.isPossible else {
      try Test.cancel("gpsd isn't installed, or may not open a pseudo-terminal")
    }
    let journey = Journey()
    let receiver = try GPSDPluggableReceiver { journey.epoch($0) }
    defer { receiver.stop() }
    let configuration = """
      [Receiver]
      Port=\(receiver.port)
      StationarySec=30s
      PauseAfterSec=30s
      PauseProbeSec=\(interval)
      [Decision]
      UnknownAfterSec=1d
      """
    try await DaemonProcess.with(configuration) { try await body($0, receiver, journey) }
  }

  /// A circle around where it stands.
  private func place(_ identifier: String) throws -> Track.Place {
    let center = try Coordinate(validLatitude: 50.1, longitude: -3.5)
    return Track.Place(identifier: identifier, center: center, radius: 200)
  }

  @Test func `what is added during a pause is judged at once`() async throws {
    try await withReceiver(lookedAtAfter: "12h") { daemon, _, _ in
      for (number, identifier) in ["garage", "yard"].enumerated() {
        try await daemon.add([place(identifier)])
        try await daemon.wait(for: "state of the \(identifier)") {
          try await daemon.briefs().count == number + 1 ? true : nil
        }
        try await daemon.waitForStatus("pause") { $0.receiver.released }
      }
      #expect(try await daemon.briefs() == ["determined garage", "determined yard"])
    }
  }

  @Test func `gpsd closes the receiver during a pause, and an exit then is told`()
    async throws
  {
    try await withReceiver(lookedAtAfter: "80s") { daemon, receiver, journey in
      let unused = "not watched: no condition or client needs it"
      #expect(try await daemon.ctl("status").output.contains(unused))
      #expect(!receiver.isOpen)
      try await daemon.add([place("garage")])
      try await daemon.waitForStatus("pause") { $0.receiver.released }
      #expect(receiver.isOpen)

      // gpsd keeps a device open for a minute after its last client has gone.
      try await daemon.wait(for: "closed receiver") { receiver.isOpen ? nil : true }
      let status = try await daemon.status()
      #expect(status.receiver.released && status.receiver.stationary)
      #expect(status.receiver.disconnection == nil && !status.receiver.silent)
      #expect(status.satisfied == 1)
      let text = try await daemon.ctl("status").output
      #expect(text.contains("released while nothing moves"))
      #expect(text.contains("next look in "))

      journey.leave()
      // How soon the next look comes is for the simulation to say, whose clock is moved by hand.
      try await daemon.wait(for: "exit") {
        try await daemon.briefs().last == "exited garage" ? true : nil
      }
      #expect(receiver.isOpen)
      try await daemon.waitForStatus("end of the pause") {
        !$0.receiver.released && $0.receiver.pausedSince == nil && $0.receiver.source != nil
      }
      let told = try await daemon.briefs()
      #expect(told == ["determined garage", "exited garage"])
    }
  }
}
