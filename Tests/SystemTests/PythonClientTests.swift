import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// The control socket, and a Varlink client that this project didn't write.
  @Suite struct PythonClientTests {
    @Test func `the client of PyPI describes, adds, lists and follows a drive`() async throws {
      let python = try PyPIVarlink.interpreterOrCancel()
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [200], spacing: 600)
        let script = daemon.folder + "/client.py"
        try Self.script.write(toFile: script, atomically: true, encoding: .utf8)
        let place = drive.places[0]
        async let result = Command([
          "timeout", "600", python, script, daemon.controlSocket, "\(place.center.latitude)",
          "\(place.center.longitude)",
        ]).run()
        try await daemon.waitForStatus("condition from the client") {
          $0.conditions == 1 && $0.lastSequence == 1
        }
        try await daemon.waitForGPSD()
        try await gpsd.feed(drive.epochs)
        let ended = try await result
        #expect(ended.errors.isEmpty)
        #expect(
          ended.lines == [
            "io.geofenced org.varlink.service", "geofenced",
            "Acknowledge Add Adjust Advise Change Consume Consumers DeleteRecording Events Explain "
              + "InvalidateSession List Locations Monitors Nearest ReadRecording Record Recordings "
              + "Remove RemoveConsumer Session Sessions SetMonitor StartRecording Status "
              + "StopRecording",
            "[[[[8.0, 47.0], [8.5, 47.0], [8.25, 47.5], [8.0, 47.0]]]] 300.0",
            "0 1 0 0 [{'identifier': 'yard', 'outcome': 'replaced', 'changed': ['maximumAltitude']}]",
            "[] yard unmonitored 0",
            "added python unknown 200.0", "python",
            "InvalidCondition latitude 91.0 is out of range: give degrees from -90 to 90",
            "unmonitored unmonitored", "determined unsatisfied", "entered satisfied",
            "exited unsatisfied",
          ])
      }
    }

    private static let script = """
      import sys, varlink

      client = varlink.Client("unix:" + sys.argv[1])
      print(*sorted(client.get_interfaces()))
      with client.open("org.varlink.service") as service:
          print(service.GetInfo()["product"])
      described = client.get_interface("io.geofenced")
      print(*sorted(n for n, m in described.members.items() if type(m).__name__ == "_Method"))
      center = {"latitude": float(sys.argv[2]), "longitude": float(sys.argv[3])}

      with client.open("io.geofenced") as geofenced, client.open("io.geofenced") as follower:
          polygon = {"polygon": {"coordinates": [[[[8, 47], [8.5, 47], [8.25, 47.5], [8, 47]]]]},
                     "maximumAltitude": 300}
          yard = geofenced.Add(monitor="yards", identifier="yard", condition=polygon,
                               assuming="satisfied")["record"]["condition"]
          print(yard["polygon"]["coordinates"], yard["maximumAltitude"])
          larger = {"identifier": "yard", "condition": dict(polygon, maximumAltitude=400)}
          plan = list(geofenced.Change(monitor="yards", conditions=[larger], sync=True,
                                       dryRun=True, _more=True))
          print(*[plan[-1][n] for n in ("added", "replaced", "unchanged", "removed")],
                plan[0]["differences"])
          gone = geofenced.Change(monitor="yards", sync=True)
          last = geofenced.Events(monitor="yards", since=0)["events"][-1]
          print(geofenced.List(monitor="yards")["records"], last["identifier"], last["kind"],
                gone["removed"] - 1)
          condition = {"circle": {"center": center, "radius": 200.0}}
          reply = geofenced.Add(identifier="python", condition=condition)
          record = reply["record"]
          print(reply["outcome"], record["identifier"], record["state"],
                record["condition"]["circle"]["radius"])
          print(*[r["identifier"] for r in geofenced.List()["records"]])
          try:
              wrong = {"circle": {"center": {"latitude": 91.0, "longitude": 0.0}, "radius": 1.0}}
              geofenced.Add(condition=wrong)
          except varlink.VarlinkError as error:
              print(error.error().split(".")[-1], error.parameters()["message"])
          kinds = []
          for reply in follower.Events(since=0, _more=True):
              for event in reply["events"]:
                  print(event["kind"], event["state"])
                  kinds.append(event["kind"])
              if "exited" in kinds:
                  break
      """
  }
}
