import Foundation
import LinuxSystem
import Systemd
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// The launcher, which starts units for a daemon without privileges, and what is said of its failures.
@Suite(.timeLimit(.minutes(10))) struct LauncherTests {
  private let folder: TemporaryFolder

  private var path: String { folder.path + "/io.geofenced" }

  init() throws { folder = try TemporaryFolder() }

  @Test func `the launcher refuses who isn't the socket's owner, and what is no unit`() async throws
  {
    let (near, far) = try StreamSocket.pair()
    await withTaskGroup { group in
      // Root is trusted always, so it can't play a stranger.
      group.addTask { try? await Launcher(owner: getuid() &+ 1).serve(far) }
      let client = VarlinkConnection(near, replyTimeout: .untilItHangs)
      let error = await #expect(throws: VarlinkError.self) {
        let _: NoParameters = try await client.call(
          LauncherInterface.start, LauncherInterface.Start(user: 0, unit: "no/unit"))
      }
      let expected = getuid() == 0 ? "InvalidParameter" : "PermissionDenied"
      #expect(error?.name.split(separator: ".").last.map(String.init) == expected)
      group.cancelAll()
    }
  }

  @Test func `without a launcher the failure says what to do`() async throws {
    let launching = UnitLaunching(besideSocket: path, ownUser: 4711)
    let unit = try #require(UnitName("a.service"))
    let failure = await #expect(throws: LaunchFailure.self) {
      try await launching.start(unit, of: 0)
    }
    #expect(failure?.kind == .noLauncher)
    #expect(failure?.description.contains(" \(folder.path)/launch ") == true)
    #expect(failure?.description.contains("systemctl enable --now geofenced-launch.socket") == true)
    let lonely = UnitLaunching(besideSocket: path, ownUser: 4_000_000_000)
    let second = await #expect(throws: LaunchFailure.self) {
      try await lonely.start(unit, of: 4_000_000_000)
    }
    #expect(second?.kind == .noManager)
    #expect(second?.description.contains("loginctl enable-linger") == true)
  }

  @Test func `a launcher that ends without an answer isn't said to be missing`() async throws {
    let listener = try ListeningSocket(path: folder.path + "/launch")
    let unit = try #require(UnitName("a.service"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await listener.accept().shutDown() }
      let failure = await #expect(throws: LaunchFailure.self) {
        try await UnitLaunching(besideSocket: path, ownUser: 4711).start(unit, of: 0)
      }
      #expect(failure?.kind == .failed)
      let advice = "'journalctl -u \"geofenced-launch@*\" -u geofenced-launch.socket'"
      #expect(failure?.description.hasSuffix(advice) == true)
      try await group.waitForAll()
    }
  }

  @Test func `every failure of the launcher comes back as what it was`() {
    for kind in LaunchFailure.Kind.allCases {
      let failure = LaunchFailure(kind, "sentence")
      #expect(LauncherInterface.failure(LauncherInterface.error(failure)) == failure)
    }
    let strange = VarlinkError(
      "org.example.Strange", message: "a\nb" + String(repeating: "x", count: 900))
    #expect(LauncherInterface.failure(strange).kind == .failed)
    #expect(LauncherInterface.failure(strange).description.utf8.count == 500)
    #expect(LauncherInterface.failure(strange).description.hasPrefix("a bx"))
  }
}
