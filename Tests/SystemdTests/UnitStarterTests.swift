import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import Systemd

/// What becomes of a start when the service manager isn't what it should be.
@Suite struct `A unit starter` {
  private let folder: TemporaryFolder
  private let unit: UnitName
  private var path: String { folder.path + "/bus" }

  init() throws {
    folder = try TemporaryFolder()
    unit = try #require(UnitName("greeter.service"))
  }

  @Test func `says that nobody answers where there is no bus`() async {
    await #expect(throws: UnitStartError.noManager(address: "unix:path=\(path)")) {
      try await UnitStarter().start(unit, onBus: path, within: .untilItHangs)
    }
  }

  @Test func `gives up in time on a bus that says nothing`() async throws {
    let listener = try ListeningSocket(path: path)
    let start = ContinuousClock.now
    await #expect(throws: UnitStartError.timedOut) {
      try await UnitStarter().start(unit, onBus: path, within: .milliseconds(200))
    }
    #expect(start.duration(to: .now) >= .milliseconds(200))
    withExtendedLifetime(listener) {}
  }

  @Test func `gives up on a bus that talks nonsense`() async throws {
    let listener = try ListeningSocket(path: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let socket = try await listener.accept()
        // Who has had enough of the first line doesn't read the others.
        try? await socket.write(Array(String(repeating: "NONSENSE\r\n", count: 10).utf8))
        // It stays until the other end has had enough.
        while let bytes = try? await socket.read(), !bytes.isEmpty {}
      }
      let error = await #expect(throws: UnitStartError.self) {
        try await UnitStarter().start(unit, onBus: path, within: .untilItHangs)
      }
      #expect(error != .timedOut)
      try await group.waitForAll()
    }
  }

  @Test func `tells the sentence of a bus without a service manager`() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon") else {
      try Test.cancel("no dbus-daemon: run 'Scripts/bootstrap --tests'")
    }
    let configuration = folder.path + "/session.conf"
    try """
    <busconfig><type>session</type><listen>unix:path=\(path)</listen>
    <policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/></policy></busconfig>
    """.write(toFile: configuration, atomically: true, encoding: .utf8)
    let daemon = try Command([
      "/usr/bin/dbus-daemon", "--nofork", "--config-file=\(configuration)",
    ]).spawn(input: nil, output: 2, errors: 2)
    defer { daemon.stop() }
    // Where nobody listens the error would be the same.
    try await firstAnswer {
      try? await StreamSocket.connect(toPath: path, timeout: .untilItHangs)
    } otherwise: {
      "nobody listens at \(path)"
    }
    await #expect(throws: UnitStartError.noManager(address: "unix:path=\(path)")) {
      try await UnitStarter().start(unit, onBus: path, within: .untilItHangs)
    }
  }
}
