import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

/// Tests of the real program as a process of this machine, one after the other.
///
/// The time limit is for what hangs: a busy machine takes many times as long as an idle one.
@Suite(.serialized, .timeLimit(.minutes(20))) enum AsAProcess {}

/// The same where something dies, hangs, is full or makes no sense.
///
/// Much of that is waiting, so these run beside the others.
@Suite(.serialized, .timeLimit(.minutes(20))) enum InTrouble {}

extension DaemonProcess {
  /// A configuration of a daemon on a port where no gpsd is.
  static let withoutReceiver = configuration(gpsdPort: 9)

  /// Adds circles with `geofenced ctl add`.
  func add(_ places: [Track.Place], _ more: String...) async throws {
    for place in places {
      let result = try await ctl(Drive.addition(of: place) + more)
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  /// Adds a circle of 100 m with `geofenced ctl add`.
  func add(_ identifier: String, _ more: String...) async throws {
    let place = ["--lat", "48.2", "--lon", "16.3", "--radius", "100", "--id", identifier]
    let result = try await ctl(["add"] + place + more)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Waits until the daemon has judged a fix of this time, or of a later one.
  func waitForFix(_ timestamp: Timestamp) async throws {
    try await waitForStatus("fix of \(timestamp.rfc3339)") { status in
      status.receiver.lastFix.map { $0.timestamp >= timestamp } ?? false
    }
  }

  /// Waits until the daemon listens to gpsd, which has named its receivers once it has agreed to
  /// report: it greets earlier, and what is fed until then is lost to this listener.
  func waitForGPSD() async throws {
    try await waitForStatus("connection to gpsd") {
      $0.receiver.source != nil && !$0.receiver.devices.isEmpty
    }
  }

  /// Has gpsd say epochs, and waits until all are judged but so many of the last.
  func judge(
    _ epochs: some BidirectionalCollection<Drive.Epoch>, of gpsd: GPSDProcess, but rest: Int = 0
  ) async throws {
    try await gpsd.feed(epochs)
    try await waitForFix(try #require(epochs.dropLast(rest).last).timestamp)
  }

  /// Adds the places that a drive comes past, and waits until its fixes will be read.
  func watch(_ drive: Drive) async throws {
    try await add(drive.places)
    try await waitForGPSD()
  }

  /// Starts `geofenced ctl` on this daemon, and lets it run.
  func startCtl(_ words: String...) throws -> RunningProgram { try startCtl(words) }

  func startCtl(_ words: [String]) throws -> RunningProgram {
    try RunningProgram([Self.program, "ctl", "--socket", controlSocket] + words)
  }

  /// Runs another daemon with this one's configuration to its end, for one that is refused.
  ///
  /// - Parameters:
  ///   - state: its state directory, where it is another one.
  ///   - runtime: its runtime directory, where it is another one.
  func runAnother(state: String? = nil, runtime: String? = nil) async throws -> Command.Result {
    try await Self.run([
      "run", "--config", folder + "/geofenced.conf", "--state-directory", state ?? stateDirectory,
      "--runtime-directory", runtime ?? runtimeDirectory,
    ])
  }

  /// The events of the log, as lines of JSON.
  func events(_ arguments: String...) async throws -> [String] {
    let result = try await ctl(["events", "--json"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result.lines
  }
}

extension DaemonProcess {
  /// What the log says in short.
  func briefs() async throws -> [String] {
    try await events().map(event).map(brief)
  }
}

/// An event as programs see it.
func event(_ line: String) throws -> Event {
  try JSONDecoder().decode(Event.self, from: Data(line.utf8))
}

/// What an event says in short: "entered home".
func brief(_ event: Event) -> String {
  "\(event.transition.kind.rawValue) \(event.transition.key.identifier)"
}

/// Runs something beside a body, and ends it with the body.
func with(
  _ companion: @escaping @Sendable () async -> Void,
  during body: @escaping @Sendable () async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { await companion() }
    defer { group.cancelAll() }
    try await body()
  }
}
