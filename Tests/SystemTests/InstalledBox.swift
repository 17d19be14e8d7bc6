import Foundation
import Geofencing
import TestSupport
import Testing

/// A box in which geofenced is installed as an administrator would, with a gpsd and a receiver.
struct InstalledBox {
  let box: SystemBox

  /// Where the release build is; cancels the test where there is none.
  static func releaseBuild() throws -> String {
    let binary = SystemBox.repository + ".build/release/geofenced"
    guard FileManager.default.isExecutableFile(atPath: binary) else {
      try Test.cancel("no release build to install: run 'make release'")
    }
    return binary
  }

  /// Boots a box and installs the release build; cancels the test where either isn't possible.
  static func with(_ body: (InstalledBox) async throws -> Void) async throws {
    _ = try releaseBuild()
    try await withSystemBox { box in
      let folder = FileManager.default.temporaryDirectory.path() + "/install-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let install = try await Command(
        [
          "make", "--no-print-directory", "-C", SystemBox.repository, "install",
          "DESTDIR=\(folder)",
        ]
      ).run()
      try #require(install.status == 0, "\(install.errors)")
      try await box.install(from: folder)
      try await box.check(["systemd-sysusers"])
      try await box.check(["journalctl", "--update-catalog"])
      try await box.check(["systemctl", "daemon-reload"])
      try await box.startGPSD()
      try await box.check(["systemctl", "start", "geofenced.socket"])
      try await body(InstalledBox(box: box))
    }
  }

  /// Runs `geofenced ctl` as root; it must succeed.
  @discardableResult
  func ctl(_ words: String...) async throws -> Command.Result {
    try await box.check(["geofenced", "ctl"] + words)
  }

  /// Adds a condition for every place on a scenario's way.
  func addPlaces(of scenario: Track.Scenario) async throws {
    for place in Track(scenario, seed: 1).places {
      try await box.check(["geofenced", "ctl"] + Drive.addition(of: place))
    }
  }

  /// The events that `ctl` knows of, oldest first.
  func events() async throws -> [ToldEvent] {
    try await ctl("events", "--json").lines.map(ToldEvent.init(json:))
  }

  /// Waits until the log has an event, and returns all it has then.
  @discardableResult
  func wait(
    for kind: String, of identifier: String
  ) async throws -> [ToldEvent] {
    let result = try await box.wait(
      for: "'\(kind) \(identifier)'", until: ["geofenced", "ctl", "events", "--json"]
    ) { result in
      try result.lines.map(ToldEvent.init(json:))
        .contains { $0.kind == kind && $0.identifier == identifier }
    }
    return try result.lines.map(ToldEvent.init(json:))
  }

  /// What systemd says of the service.
  func property(_ name: String) async throws -> String {
    try await box.check(["systemctl", "show", "geofenced.service", "--value", "-p", name])
      .output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The events in the journal that a match selects, oldest first.
  func journal(_ matches: String...) async throws -> [ToldEvent] {
    try await box.check(["journalctl", "--quiet", "-o", "json"] + matches).lines
      .map(ToldEvent.init(journalEntry:))
  }

  /// Waits until the event of a number is in the journal.
  func waitForJournal(until sequence: Int) async throws {
    try await box.wait(
      for: "the last event in the journal",
      until: ["journalctl", "--quiet", "GEOFENCE_SEQUENCE=\(sequence)"]
    ) { !$0.lines.isEmpty }
  }
}

extension SystemBox {
  /// Starts the gpsd that the machine has, by its socket, for a receiver on the network.
  func startGPSD() async throws {
    try await write(
      """
      START_DAEMON="true"
      USBAUTO="false"
      DEVICES="tcp://127.0.0.1:5001"
      GPSD_OPTIONS=""

      """, to: "/etc/default/gpsd")
    try await check(["systemctl", "start", "gpsd.socket"])
  }

  /// Switches a receiver on that waits for gpsd and then moves so many times as fast as real time.
  ///
  /// gpsd opens it when somebody begins to watch.
  func startReceiver(
    _ scenario: Track.Scenario, speed: Int, start: String = "now"
  ) async throws {
    try await copy(
      SystemBox.repository + ".build/debug/generate-track", to: "/usr/local/bin/generate-track")
    try await check([
      "systemd-run", "--quiet", "--unit=receiver", "--property=RemainAfterExit=yes",
      "generate-track", "--scenario", scenario.rawValue, "--seed", "1", "--start", start,
      "--speed", String(speed), "--listen", "127.0.0.1:5001", "--port-file", "/run/receiver-port",
    ])
    try await wait(for: "the receiver's start", until: ["cat", "/run/receiver-port"]) {
      $0.status == 0
    }
  }

  /// Writes a file inside.
  func write(_ text: String, to path: String) async throws {
    let file = FileManager.default.temporaryDirectory.path() + "/file-\(UUID().uuidString)"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    try await copy(file, to: path)
    try await check(["chmod", "644", path])
  }
}

/// What every way of reading an event tells alike.
struct ToldEvent: Hashable, Decodable, CustomStringConvertible {
  var sequence: Int
  var log: String
  var identifier: String
  var kind: String
  var state: String
  var previousState: String
  var date: String

  /// A line of the events socket, or of `ctl events --json`.
  init(json line: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
  }

  /// A line of `journalctl -o json`.
  init(journalEntry line: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    let fields = try #require(object as? [String: Any])
    func field(_ name: String) throws -> String { try #require(fields[name] as? String) }
    sequence = try #require(Int(try field("GEOFENCE_SEQUENCE")))
    log = try field("GEOFENCE_LOG")
    identifier = try field("GEOFENCE_IDENTIFIER")
    kind = try field("GEOFENCE_KIND")
    state = try field("GEOFENCE_STATE")
    previousState = try field("GEOFENCE_PREVIOUS_STATE")
    date = try field("GEOFENCE_DATE")
  }

  var description: String { "\(sequence) \(kind) \(identifier) \(date)" }
}

extension [ToldEvent] {
  /// The entries and exits, as "entered office".
  var crossings: [String] {
    filter { ["entered", "exited"].contains($0.kind) }.map { "\($0.kind) \($0.identifier)" }
  }
}
