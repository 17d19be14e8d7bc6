import Testing

@testable import Varlink

struct VarlinkDescriptionTests {
  @Test(
    arguments: [
      ("", 1, "expected 'interface', not ''"),
      ("interface things", 1, "'things' is not the name of an interface"),
      (
        "interface a.b\nmethods X() -> ()", 2, "expected 'type', 'method' or 'error', not 'methods'"
      ),
      (
        "interface a.b\n\nmethod x() -> ()", 3,
        "'x' is not a name: it must begin with an upper-case letter"
      ),
      ("interface a.b\nmethod X()", 2, "expected '->'"),
      ("interface a.b\nmethod X(a) -> ()\nmethod X() -> ()", 3, "'X' is defined twice"),
      ("interface a.b\n# a comment\nerror E (a: Nothing)", 3, "type 'Nothing' is not defined"),
      ("interface a.b\nerror E (a: integer)", 2, "'integer' is not a type"),
      ("interface a.b\nerror E (a: ??int)", 2, "'?' twice"),
      ("interface a.b\nerror E (a: int, a: int)", 2, "member 'a' is defined twice"),
      ("interface a.b\nerror E (a: int, b)", 2, "a member has no type"),
      ("interface a.b\nerror E (a: int\nb: int)", 3, "expected ')'"),
      ("interface a.b\nerror E (1: int)", 2, "'1' is not the name of a member"),
    ])
  func `a mistake is told with its line`(text: String, line: Int, problem: String) {
    let error = #expect(throws: VarlinkDescriptionError.self) {
      try VarlinkDescription(text: text)
    }
    #expect(error?.line == line)
    #expect(error?.problem == problem)
    #expect(error?.description == "line \(line): \(problem)")
  }

  @Test
  func `types nested without end are refused`() {
    let text = "interface a.b\nerror E (a: \(String(repeating: "[]", count: 100_000))int)"
    #expect(throws: VarlinkDescriptionError.self) { try VarlinkDescription(text: text) }
  }

  @Test
  func `a handler without a method, and a method without a handler, are found`() {
    var methods = ExampleService().methods
    methods["Extra"] = methods["Echo"]
    #expect(
      #expect(throws: VarlinkDescriptionError.self) { try interface(methods) }?.problem
        == "org.example.things doesn't describe the method 'Extra'")
    methods["Extra"] = nil
    methods["Draw"] = nil
    #expect(
      #expect(throws: VarlinkDescriptionError.self) { try interface(methods) }?.problem
        == "the method 'Draw' of org.example.things has no handler")
  }

  @Test
  func `a server needs its faults described, and each interface once`() throws {
    let interface = try ExampleService().interface()
    let information = VarlinkInformation(vendor: "", product: "", version: "", url: "")
    #expect(
      #expect(throws: VarlinkDescriptionError.self) {
        try VarlinkServer(
          interfaces: [interface], faults: "org.varlink.service", information: information)
      }?.problem
        == "org.varlink.service doesn't describe 'error MessageTooLong (message: string)'")
    #expect(
      #expect(throws: VarlinkDescriptionError.self) {
        try VarlinkServer(
          interfaces: [interface, interface], faults: interface.name, information: information)
      }?.problem == "org.example.things is served twice")
  }

  @Test(
    arguments: [
      (#"{"parameters":{"count":3}}"#, nil),
      (#"{"parameters":{"count":3},"continues":true}"#, nil),
      (#"{"parameters":{"total":3}}"#, "total"),
      (#"{"parameters":null}"#, "count"),
      (#"{}"#, "count"),
    ] as [(String, String?)])
  func `replies can be checked against the description too`(
    reply: String, wrong: String?
  ) throws {
    let description = try VarlinkDescription(text: ExampleService.text)
    let output = try #require(description.methods["Draw"]).output
    var found: VarlinkError?
    do {
      try description.checkParameters(of: Array(reply.utf8), against: output)
    } catch {
      found = error
    }
    #expect(found?.standard == (wrong == nil ? nil : .invalidParameter))
    #expect(try found?.parameters(as: [String: String].self)["parameter"] == wrong)
  }

  private func interface(_ methods: [String: VarlinkMethod]) throws -> VarlinkInterface {
    try VarlinkInterface(
      text: ExampleService.text, methods: methods,
      failure: { VarlinkError("org.example.things.InternalError", message: "\($0)") })
  }
}
