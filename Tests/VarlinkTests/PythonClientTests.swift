import LinuxSystem
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct PythonClientTests {
  @Test
  func `a client written elsewhere reads the description, calls and follows`() async throws {
    let python = try PyPIVarlink.interpreterOrCancel()
    try await withTemporaryDirectory { directory in
      let path = directory + "/socket"
      let listener = try ListeningSocket(path: path)
      let server = try ExampleService().server()
      let output = try await withThrowingTaskGroup(of: String?.self) { group in
        group.addTask {
          await server.run(on: listener)
          return nil
        }
        group.addTask { try await Command([python, "-c", script, path]).run().output }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
      #expect(
        output == """
          Example Things 1.2
          org.varlink.service org.example.things
          Count Draw Echo Fail Flood Wait
          Grüße / "quoted"
          1 2 3
          org.example.things.TooSmall 3
          InvalidParameter to
          InterfaceNotFound

          """)
    }
  }

  private let script = """
    import sys, varlink
    client = varlink.Client("unix:" + sys.argv[1])
    with client.open("org.varlink.service") as service:
        info = service.GetInfo()
        print(info["vendor"], info["product"], info["version"])
        print(*info["interfaces"])
    interface = client.get_interface("org.example.things")
    print(*sorted(n for n, m in interface.members.items()
                  if type(m).__name__ == "_Method"))
    with client.open("org.example.things") as things:
        print(things.Echo("Grüße / \\"quoted\\"")["text"])
        print(*[reply["number"] for reply in things.Count(3, _more=True)])
        try:
            things.Fail("typed")
        except varlink.VarlinkError as error:
            print(error.error(), error.parameters()["minimum"])
        try:
            things._send_message(
                b'{"method": "org.example.things.Count", "parameters": {"to": "x"}}')
            things._next_varlink_message()
        except varlink.InvalidParameter as error:
            print("InvalidParameter", error.parameters()["parameter"])
    try:
        client.open("org.example.nothing")
    except varlink.InterfaceNotFound:
        print("InterfaceNotFound")
    """
}
