import Foundation
import TestSupport
import Testing

extension InABox {
  /// What `make deb` makes of the release build.
  @Suite struct PackageTests {
    @Test func `a package depends on what is linked, and says whose and of when its files are`()
      async throws
    {
      let package = try await DebianPackage()
      let fields = try await package.asked("--field")
      #expect(fields.output.contains(/\nDepends: .*\blibgps\d+.*\blibsqlite3-0\b/))
      #expect(fields.output.contains("\nRecommends: gpsd\n"))
      let kept = try await package.asked("--info", "conffiles")
      #expect(kept.lines == ["/etc/geofenced/geofenced.conf"])
      let files = try await package.asked("--contents").lines
      #expect(files.contains { $0.hasSuffix(" ./usr/share/man/man1/geofenced.1.gz") })
      let others = files.filter { !$0.contains(/\sroot\/root +\d+ 2020-09-13 12:26\s/) }
      #expect(others == [])
    }

    @Test func `a package runs once its image boots, and keeps what is its user's until a purge`()
      async throws
    {
      try await withSystemBox { box in
        try await DebianPackage().copy(to: box)
        // The machine may have it as well, or be an image itself in which nothing is started.
        try await box.check(["dpkg", "--purge", "geofenced"])
        try await box.check(["rm", "-f", "/usr/sbin/policy-rc.d"])

        // Where no systemd is seen.
        try await box.check([
          "unshare", "--mount", "sh", "-c",
          "mount -t tmpfs none /run && dpkg --install /root/geofenced.deb",
        ])
        #expect(try await property("ActiveState", in: box) == "inactive")
        try await box.cutPower()
        #expect(try await property("ActiveState", in: box) == "active")
        let launcher = try await property("ActiveState", of: "geofenced-launch.socket", in: box)
        #expect(launcher == "active")

        try await box.check([
          "geofenced", "ctl", "add", "--lat", "48", "--lon", "16", "--radius", "100", "--id",
          "home", "--assuming", "satisfied",
        ])
        let watched = try await conditions(in: box)
        #expect(watched.contains("\"home\""))
        let configuration = "/etc/geofenced/geofenced.conf"
        try await box.write("# Mine\n", to: configuration)
        let socket = try await property("InvocationID", of: "geofenced.socket", in: box)
        let service = try await property("InvocationID", in: box)

        try await box.check(["dpkg", "--install", "/root/newer.deb"])
        #expect(try await property("InvocationID", of: "geofenced.socket", in: box) == socket)
        #expect(try await property("InvocationID", in: box) != service)
        #expect(try await property("ActiveState", in: box) == "active")
        #expect(try await conditions(in: box) == watched)

        try await box.check(["dpkg", "--remove", "geofenced"])
        #expect(try await property("ActiveState", in: box) == "inactive")
        #expect(try await box.run(["test", "-e", "/usr/bin/geofenced"]).status == 1)
        #expect(try await box.run(["test", "-e", "/run/geofenced/events"]).status == 1)
        try await box.check(["dpkg", "--install", "/root/newer.deb"])
        #expect(try await property("ActiveState", in: box) == "active")
        #expect(try await conditions(in: box) == watched)
        #expect(try await box.check(["cat", configuration]).lines == ["# Mine"])

        // From an upgrade that was broken off: the package isn't asked to stop what runs before it goes.
        try await box.check(["dpkg", "--unpack", "/root/newer.deb"])
        try await box.check(["dpkg", "--purge", "geofenced"])
        #expect(try await property("ActiveState", in: box) == "inactive")
        #expect(try await property("ActiveState", of: "geofenced.socket", in: box) == "inactive")
        let left = ["/etc/geofenced", "/var/lib/geofenced", "/etc/systemd/system/*/geofenced*"]
        let found = try await box.run(["sh", "-c", "ls -d \(left.joined(separator: " "))"])
        #expect(found.lines == [])
        try await box.check(["getent", "passwd", "geofenced"])
      }
    }

    /// What systemd says of a unit.
    private func property(
      _ name: String, of unit: String = "geofenced.service", in box: SystemBox
    ) async throws -> String {
      try await box.check(["systemctl", "show", unit, "--value", "-p", name])
        .output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What the daemon that runs says of its conditions.
    private func conditions(in box: SystemBox) async throws -> String {
      try await box.check(["geofenced", "ctl", "list", "--json"]).output
    }
  }
}

/// A Debian package of the release build, as it would be made of sources of 2020-09-13T12:26:40Z.
private struct DebianPackage {
  private let folder: TemporaryFolder
  private let path: String

  /// Makes one, or cancels the test where that isn't possible.
  init() async throws {
    let program = try InstalledBox.releaseBuild()
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-shlibdeps") else {
      try Test.cancel("'dpkg-shlibdeps' is missing: run Scripts/bootstrap")
    }
    folder = try TemporaryFolder()
    let made = try await Self.run([
      // To compress it takes long, and shows nothing.
      "env", "SOURCE_DATE_EPOCH=1600000000", "DPKG_DEB_COMPRESSOR_TYPE=none",
      SystemBox.repository + "Scripts/build-deb", program, folder.path,
    ])
    path = try #require(made.lines.last)
  }

  /// What `dpkg-deb` says of it.
  func asked(_ question: String, _ words: String...) async throws -> Command.Result {
    try await Self.run(["env", "TZ=UTC", "dpkg-deb", question, path] + words)
  }

  /// Copies it to `/root/geofenced.deb`, and one that differs in its version to `/root/newer.deb`.
  func copy(to box: SystemBox) async throws {
    let tree = folder.path + "/tree"
    let newer = folder.path + "/newer.deb"
    try await Self.run(["dpkg-deb", "--raw-extract", path, tree])
    try await Self.run(["sed", "-i", "s/^Version: .*/Version: 99/", tree + "/DEBIAN/control"])
    try await Self.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, newer])
    try await box.copy(path, to: "/root/geofenced.deb")
    try await box.copy(newer, to: "/root/newer.deb")
  }

  @discardableResult
  private static func run(_ words: [String]) async throws -> Command.Result {
    let result = try await Command(words).run()
    try #require(result.status == 0, "\(result.errors)")
    return result
  }
}
