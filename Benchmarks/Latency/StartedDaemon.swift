import BenchmarkSupport
import ControlInterface
import Foundation
import Geofencing
import Glibc
import MonitorStorage
import TestSupport

/// A daemon behind a gpsd that is played here; it is killed and started again.
final class StartedDaemon {
  private let daemon: DaemonProcess
  private let gpsd: PlayedGPSD

  /// Prepares a daemon without conditions; it doesn't run yet.
  ///
  /// - Parameter folder: The folder in which its own folder is made.
  init(in folder: String) throws {
    gpsd = try PlayedGPSD()
    daemon = try DaemonProcess(
      configuration: DaemonProcess.configuration(
        gpsdPort: gpsd.port,
        more: """
          [Receiver]
          PauseMode=never
          [Storage]
          CheckpointSec=1s
          [Limits]
          MaximumConditionsPerUser=1000000
          """), in: folder)
  }

  // MARK: Its life

  /// Starts the daemon.
  ///
  /// - Returns: The time from its launch until it tells the service manager that it is ready.
  func start() async throws -> Duration {
    let path = daemon.folder + "/notify"
    unlink(path)
    // The socket is closed at the end, as nobody reads later messages of the daemon.
    let manager = try DatagramSocket(path: path)
    let began = ContinuousClock.now
    try daemon.launch(by: ["env", "NOTIFY_SOCKET=\(path)"])
    while daemon.endStatus == nil, ContinuousClock.now < began + .untilItHangs {
      let text = manager.receiveText(within: .milliseconds(100))
      if text?.split(separator: "\n").contains("READY=1") == true {
        return began.duration(to: .now)
      }
    }
    throw BenchmarkFailure("the daemon wasn't ready: \(daemon.log)")
  }

  /// Accepts the connection of a daemon that has conditions.
  func meet() throws { try gpsd.accept() }

  /// Imports so many circles; returns how long that took.
  func importPlaces(_ count: Int) async throws -> Duration { try await daemon.importPlaces(count) }

  /// Kills the daemon and waits for its end.
  func kill() async {
    daemon.kill(SIGKILL)
    _ = await daemon.end()
  }

  /// Ends the daemon and removes its folders.
  func remove() async { await daemon.remove() }

  // MARK: What it sees

  /// Sends fixes, each after the one before was judged.
  func drive(_ fixes: [Journey.Fix]) async throws {
    for fix in fixes {
      try gpsd.say(fix.report)
      try await daemon.waitForStatus("fix of \(fix.time.rfc3339)") { status in
        status.receiver.lastFix.map { $0.timestamp >= fix.time } ?? false
      }
    }
  }

  /// Waits until a fix, and all that it caused, is on the disk.
  func waitUntilStored(_ fix: Journey.Fix) async throws {
    let store = MonitorStore(try MonitorDatabase.openReader(path: daemon.database))
    try await daemon.wait(for: "fix of \(fix.time.rfc3339) in the database") {
      try store.lastFix()?.timestamp == fix.time ? true : nil
    }
  }

  // MARK: What it leaves

  /// Gives another daemon, which doesn't run yet, the state that this one would leave if it were killed now.
  func copyState(to other: StartedDaemon) async throws {
    daemon.kill(SIGSTOP)
    defer { daemon.kill(SIGCONT) }
    let process = daemon.identifier ?? 0
    try await daemon.wait(for: "standstill") {
      try ProcessFigures.isStopped(process) ? true : nil
    }
    try FileManager.default.copyItem(
      atPath: daemon.stateDirectory, toPath: other.daemon.stateDirectory)
  }

  /// The number of the last event in its log; 0 without one.
  func lastSequence() async throws -> Int64 {
    try await EventReader(path: daemon.database).newest()?.sequence ?? 0
  }

  /// The transitions that it has logged after an event.
  func transitions(after sequence: Int64) async throws -> [Transition] {
    try await EventReader(path: daemon.database).page(after: sequence, limit: .max).events
      .map(\.event.transition)
  }
}
