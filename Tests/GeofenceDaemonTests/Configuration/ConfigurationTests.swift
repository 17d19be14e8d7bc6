import Foundation
import GeofenceDaemon
import Geofencing
import Positioning
import Systemd
import Testing

struct ConfigurationTests {
  @Test func `every kind of value is read`() throws {
    let folder = try ConfigurationFolder(
      """
      # A comment, and one that is far too long for a line of values: \
      \(String(repeating: "x", count: 500))
      ; Another comment
      [Receiver]
      Host = gps.example.org
        Port=2948
      Device=/dev/ttyACM0
      AccuracyMeaning=68
      DefaultAccuracy=22.5
      DefaultVerticalAccuracy=40
      SilenceSec=1min 30s
      ReconnectMinSec=0.25
      DeviceAccuracyMeaning=/dev/ttyACM0:50
      DeviceAccuracyMeaning=tcp://127.0.0.1:4000:95 \\
        # A comment between the parts
        /dev/ttyS0:68

      [Journal]
      Enabled=off
      JournalCoordinates=Yes

      [Storage]
      EventRetentionSec=2w
      [Launch]
      LaunchUnit=default:greeter.service 1000/trip:a@b:c.service
      LaunchUnit=1000/work:work.target
      LaunchIntervalSec=1min
      """)
    let (configuration, lines) = folder.load()
    #expect(lines == [])
    var expected = Configuration()
    expected.receiver.gpsd.host = "gps.example.org"
    expected.receiver.gpsd.port = 2948
    expected.receiver.gpsd.device = "/dev/ttyACM0"
    expected.receiver.gpsd.silence = .seconds(90)
    expected.receiver.gpsd.shortestDelay = .milliseconds(250)
    expected.positioning.accuracyMeaning = .sixtyEight
    expected.positioning.defaultAccuracy = 22.5
    expected.positioning.deviceAccuracyMeanings = [
      "/dev/ttyACM0": .half, "tcp://127.0.0.1:4000": .ninetyFive, "/dev/ttyS0": .sixtyEight,
    ]
    expected.decision.defaultAccuracy = 22.5
    expected.decision.defaultVerticalAccuracy = 40
    expected.journal.isEnabled = false
    expected.journal.coordinates = true
    expected.storage.eventRetentionTime = .seconds(14 * 86_400)
    expected.launch.units = [
      MonitorKey(user: 0, name: "default"): try #require(UnitName("greeter.service")),
      MonitorKey(user: 1000, name: "trip"): try #require(UnitName("a@b:c.service")),
      MonitorKey(user: 1000, name: "work"): try #require(UnitName("work.target")),
    ]
    expected.launch.interval = .seconds(60)
    #expect(configuration == expected)
  }

  @Test(arguments: [
    "default", "default:", ":a.service", "default:a", "default:/etc/a.service",
    "de fault:a.service",
    "1/2/default:a.service", "/default:a.service", "x/default:a.service", "-1/default:a.service",
    "4294967295/default:a.service", "1000/:a.service", "default:a.service default",
  ])
  func `what is no unit of a monitor is refused`(text: String) throws {
    let (configuration, lines) = try ConfigurationFolder("[Launch]\nLaunchUnit=\(text)").load()
    #expect(configuration == nil)
    #expect(
      lines.first?.hasPrefix("geofenced.conf:2: LaunchUnit= wants [UID/]MONITOR:UNIT pairs") == true
    )
  }

  @Test func `five mistakes in two files are all told at once`() throws {
    let folder = try ConfigurationFolder(
      """
      [Receiver]
      Port=70000
      Host
      [Decision]
      Confidence=nan
      ExitSec=soon
      """,
      dropIns: ["10-more.conf": "[Journal]\n\nEnabled=perhaps\n"])
    let (configuration, lines) = folder.load()
    #expect(configuration == nil)
    #expect(
      lines == [
        "geofenced.conf:2: Port= wants a whole number from 1 to 65535, got '70000'",
        "geofenced.conf:3: this is neither [Section] nor Key=Value",
        "geofenced.conf:5: Confidence= wants a number from 0.5 to 0.9999, got 'nan'",
        "geofenced.conf:6: ExitSec= wants a time from 0 to 1h, got 'soon'",
        "geofenced.conf.d/10-more.conf:3: Enabled= wants yes or no, got 'perhaps'",
      ])
  }

  @Test(arguments: [
    (
      "[Receiver]\nDevice=a b", 2,
      "Device= wants the name of a device, of at most 127 bytes, without blanks, got 'a b'"
    ),
    ("[Receiver]\nHost=a b", 2, "Host= wants a host name or an address, got 'a b'"),
    (
      "[Receiver]\nHost=localhost:2947", 2,
      "Host= wants a host name or an address, got 'localhost:2947'"
    ),
    ("[Receiver]\nHost=%h", 2, "Host= wants a host name or an address, got '%h'"),
    ("[Receiver]\nHost=fe80::1%", 2, "Host= wants a host name or an address, got 'fe80::1%'"),
    (
      "[Receiver]\nHost=::1\nHost=fe80::1%eth0\nHost=10.0.0.1\nPort=x", 5,
      "Port= wants a whole number from 1 to 65535, got 'x'"
    ),
    (
      "[Receiver]\nPort=2947 # gpsd", 2,
      "Port= wants a whole number from 1 to 65535, got '2947 # gpsd'"
    ),
    (
      "[Receiver]\nPort=2947 ; gpsd", 2, "a comment can't follow a value: give it a line of its own"
    ),
    ("[Receiver]\nPort=0x10", 2, "Port= wants a whole number from 1 to 65535, got '0x10'"),
    ("[Receiver]\nAccuracyMeaning=90", 2, "AccuracyMeaning= wants one of 50, 68, 95, got '90'"),
    (
      "[Receiver]\nDeviceAccuracyMeaning=/dev/a:68 /dev/b", 2,
      "DeviceAccuracyMeaning= wants NAME:NUMBER pairs, separated by blanks, NUMBER being one of 50, 68, 95, got '/dev/b'"
    ),
    (
      "[Receiver]\nMaximumSpeed=inf", 2,
      "MaximumSpeed= wants a number of metres per second from 1 to 100000, got 'inf'"
    ),
    ("[Decision]\nConfidence=0.49", 2, "Confidence= wants a number from 0.5 to 0.9999, got '0.49'"),
    (
      "[Storage]\nStateDirectory=state", 2,
      "StateDirectory= wants an absolute path of at most 3000 bytes, got 'state'"
    ),
    ("Port=1", 1, "'Port' stands before the first section (it belongs to [Receiver])"),
    ("\n[Receiver", 2, "a section's name ends with ']', and nothing follows it"),
    ("[Receiver] Port=1", 1, "a section's name ends with ']', and nothing follows it"),
    ("[Receiver]\n=5", 2, "this is neither [Section] nor Key=Value"),
    ("[Receiver]\n#\\\nnonsense", 3, "this is neither [Section] nor Key=Value"),
    ("[Receiver]\nPort=1\\\n2\nHost=/", 2, "Port= wants a whole number from 1 to 65535, got '1 2'"),
    ("[Receiver]\nPort=1\0", 2, "there is a NUL byte in the line"),
    (
      "[Receiver]\nReconnectMinSec=1min", 2,
      "ReconnectMinSec= is 1min, more than ReconnectMaxSec= with 30s"
    ),
  ])
  func `a mistake is told with its line`(text: String, line: Int, message: String) throws {
    let (configuration, lines) = try ConfigurationFolder(text).load()
    #expect(configuration == nil)
    #expect(lines.first == "geofenced.conf:\(line): \(message)")
  }

  @Test(arguments: [197, 198, 199, 5_000])
  func `a line that is too long is refused and never cut`(length: Int) throws {
    let start = "DeviceAccuracyMeaning="
    let name = String(repeating: "x", count: length - start.count - 3)
    let folder = try ConfigurationFolder("[Receiver]\n\(start)\(name):68\n[Journal]\nEnabled=no")
    let (configuration, lines) = folder.load()
    if length <= 198 {
      #expect(lines == [])
      #expect(configuration?.positioning.deviceAccuracyMeanings == [name: .sixtyEight])
      #expect(configuration?.journal.isEnabled == false)
    } else {
      #expect(configuration == nil)
      #expect(
        lines == ["geofenced.conf:2: the line has \(length) bytes: write it in at most 198"])
    }
  }

  @Test func `invalid UTF-8 is refused and a byte order mark is not`() throws {
    let folder = try ConfigurationFolder("\u{FEFF}[Receiver]\r\nPort=1\r\n")
    #expect(folder.load().configuration?.receiver.gpsd.port == 1)
    try folder.write(Data([0x5B, 0xFF, 0x5D, 0x0A]), "geofenced.conf")
    #expect(folder.load().lines == ["geofenced.conf:1: the line is not valid UTF-8"])
  }

  @Test func `unknown names are warnings that don't stop the rest`() throws {
    let folder = try ConfigurationFolder(
      """
      [Reciever]
      Port=1
      Host=x

      [Decision]
      Confidense=0.9
      Port=3
      Zebra=1
      EnterFixes=5
      """)
    let (configuration, lines) = folder.load()
    #expect(configuration?.decision.enterFixes == 5)
    #expect(configuration?.receiver == Configuration().receiver)
    #expect(
      lines == [
        "geofenced.conf:1: warning: unknown section 'Reciever' (did you mean [Receiver]?), "
          + "ignoring it",
        "geofenced.conf:6: warning: unknown key 'Confidense' in [Decision] "
          + "(did you mean Confidence=?), ignoring it",
        "geofenced.conf:7: warning: unknown key 'Port' in [Decision] (it belongs to [Receiver]), "
          + "ignoring it",
        "geofenced.conf:8: warning: unknown key 'Zebra' in [Decision], ignoring it",
      ])
  }

  @Test func `an empty value brings back the default and forgets a list`() throws {
    let folder = try ConfigurationFolder(
      "[Receiver]\nPort=1\nPort=\nDeviceAccuracyMeaning=a:68\nDeviceAccuracyMeaning=\n")
    #expect(folder.load().configuration == Configuration())
  }

  @Test func `a missing file at the default place means the defaults`() throws {
    let path = Configuration.defaultPath
    if [path, path + ".d"].contains(where: FileManager.default.fileExists(atPath:)) {
      try Test.cancel("this machine has a configuration in \(path)")
    }
    let (configuration, issues) = Configuration.load()
    #expect(configuration == Configuration())
    #expect(issues == [])
  }

  @Test func `a missing file that was asked for is an error`() throws {
    let folder = try ConfigurationFolder()
    let (configuration, lines) = folder.load()
    #expect(configuration == nil)
    #expect(lines == ["geofenced.conf: there is no such file"])
  }

  @Test func `nonsense gives a bounded number of lines`() throws {
    let folder = try ConfigurationFolder(String(repeating: "nonsense\n", count: 100_000))
    #expect(folder.load().lines.count == 100)
    // What is only warned of gives way to what is wrong.
    let unknown = String(repeating: "Nonsense=1\n", count: 150)
    let mixed = try ConfigurationFolder("[Receiver]\n\(unknown)Port=none\n").load().lines
    #expect(mixed.count == 1 && mixed[0].hasPrefix("geofenced.conf:152: "), "\(mixed)")
  }

  @Test func `the directories that systemd made come first`() throws {
    let folder = try ConfigurationFolder("[Storage]\nStateDirectory=/elsewhere\n")
    let environment = ["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "RUNTIME_DIRECTORY": "/run/a"]
    let loaded = folder.load(environment: environment)
    let configuration = try #require(loaded.configuration)
    #expect(
      loaded.lines == [
        "geofenced.conf:2: warning: StateDirectory= isn't used: $STATE_DIRECTORY, which is "
          + "/var/lib/a, overrides it"
      ])
    #expect(configuration.storage.stateDirectory == "/var/lib/a")
    #expect(configuration.socket.runtimeDirectory == "/run/a")
    #expect(
      folder.load(environment: ["STATE_DIRECTORY": "here"]).lines == [
        "$STATE_DIRECTORY: this wants an absolute path of at most 3000 bytes, got 'here'"
      ])
  }

  @Test func `no sequence of bytes does harm`() throws {
    let folder = try ConfigurationFolder()
    let pieces =
      [
        "[", "]", "[Receiver]", "Port", "=", ":", "2947", ";", "#", " ", "\t", "\\", "\n", "\r\n",
        "\0",
        "\u{FEFF}", "ü", String(repeating: "y", count: 196),
      ].map { Data($0.utf8) } + [Data([0xFF])]
    var (state, told): (UInt64, Int) = (1, 0)
    for _ in 0..<300 {
      var bytes = Data()
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes += pieces[Int(state >> 33) % pieces.count]
      }
      try folder.write(bytes, "geofenced.conf")
      let lines = folder.load().lines
      told += lines.count
      // Each line is one line, and names a place.
      #expect(lines.allSatisfy { $0.wholeMatch(of: /geofenced\.conf:\d+: .+/) != nil })
    }
    #expect(told > 300)
  }
}
