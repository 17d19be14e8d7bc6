import Foundation
import TestSupport
import Testing

extension InABox {
  /// The control socket and a Varlink client that this project didn't write.
  @Suite struct VarlinkClientTests {
    @Test func `the Varlink client of PyPI lists interfaces, adds a condition and follows events`()
      async throws
    {
      let packages = SystemBox.repository + ".build/varlink-client/lib"
      guard let python = try? FileManager.default.contentsOfDirectory(atPath: packages).first else {
        try Test.cancel("no Varlink client: run 'Scripts/bootstrap --tests'")
      }
      try await InstalledBox.with { installed in
        let box = installed.box
        try await box.copy("\(packages)/\(python)/site-packages/varlink", to: "/opt/varlink")
        try await box.write(
          """
          import varlink

          def connect():
              return varlink.Client(address="unix:/run/geofenced/io.geofenced")

          client = connect()
          print("interfaces", *sorted(i for i in client.get_interfaces()))
          with client.open("io.geofenced") as monitor:
              circle = {"center": {"latitude": 37.5665, "longitude": 126.978}, "radius": 200.0}
              reply = monitor.Add(identifier="home", condition={"circle": circle}, assuming="satisfied")
              print("added", reply["record"]["identifier"], reply["record"]["state"])
              with connect().open("io.geofenced") as follower:
                  stream = follower.Events(monitor="default", _more=True)
                  # Removing a condition that holds is told as an event.
                  monitor.Remove(identifier="home")
                  for reply in stream:
                      for event in reply["events"]:
                          print("event", event["identifier"], event["kind"])
                      if reply["events"]:
                          break
              try:
                  monitor.Remove(identifier="nowhere")
              except varlink.VarlinkError as error:
                  print("error", error.error())

          """, to: "/opt/client.py")
        let result = try await box.check(["env", "PYTHONPATH=/opt", "python3", "/opt/client.py"])
        #expect(
          result.lines == [
            "interfaces io.geofenced org.varlink.service",
            "added home satisfied",
            "event home unmonitored",
            "error io.geofenced.NoSuchCondition",
          ])
      }
    }
  }
}
