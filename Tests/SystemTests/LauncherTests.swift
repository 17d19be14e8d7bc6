import TestSupport
import Testing

extension InABox {
  /// The program with privileges that starts units for the daemon.
  @Suite struct LauncherTests {
    @Test func `only the daemon may ask the launcher, which has two capabilities`() async throws {
      try await InstalledBox.with { installed in
        let box = installed.box
        try await installed.ctl("status")
        let socket = try await box.check([
          "stat", "-c", "%F %U:%G %a", "/run/geofenced/launch",
        ])
        #expect(socket.lines == ["socket geofenced:geofenced 600"])
        try await box.check(["useradd", "--groups", "geofenced", "member"])
        let ask = """
          printf '{"method":"io.geofenced.Launcher.Start","parameters":%s}\\0' "$0" \
            | socat -t 5 - UNIX-CONNECT:/run/geofenced/launch
          """
        func start(as user: String, _ parameters: String) async throws -> String {
          let result = try await box.run([
            "runuser", "-u", user, "--", "sh", "-c", ask, parameters,
          ])
          return result.output + result.errors
        }
        let good = #"{"user":0,"unit":"geofenced.service"}"#
        #expect(try await start(as: "member", good).contains("Permission denied"))
        #expect(try await start(as: "geofenced", good).hasPrefix(#"{"parameters":{}}"#))
        for (parameters, error) in [
          (#"{"user":0,"unit":"/etc/systemd/system/a.service"}"#, "InvalidParameter"),
          (#"{"user":0,"unit":"no-such.service"}"#, "io.geofenced.Launcher.NoSuchUnit"),
          (#"{"user":4711,"unit":"a.service"}"#, "io.geofenced.Launcher.NoManager"),
          (#"{"user":-1,"unit":"a.service"}"#, "InvalidParameter"),
          (#"{"unit":"a.service"}"#, "InvalidParameter"),
        ] {
          let answer = try await start(as: "geofenced", parameters)
          #expect(answer.contains(error), "\(parameters): \(answer)")
        }
        try await box.check([
          "systemd-run", "--quiet", "--unit=silent", "--uid=geofenced", "sh", "-c",
          "exec socat -u UNIX-CONNECT:/run/geofenced/launch -",
        ])
        let silent = try await box.wait(
          for: "the launcher of who says nothing",
          until: [
            "sh", "-c",
            """
            systemctl show 'geofenced-launch@*' -p RuntimeMaxUSec
            cat /proc/$(systemctl show 'geofenced-launch@*' --value -p MainPID)/status
            """,
          ]
        ) { $0.output.contains("geofenced") }
        #expect(silent.output.contains("RuntimeMaxUSec=15s"))
        // CAP_SETGID and CAP_SETUID are bits 6 and 7.
        #expect(silent.output.contains("CapBnd:\t00000000000000c0"))
        #expect(silent.output.contains("NoNewPrivs:\t1"))
      }
    }
  }
}
