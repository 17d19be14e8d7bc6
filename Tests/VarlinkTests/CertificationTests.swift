import Glibc
import LinuxSystem
import TestSupport
import Testing
import Varlink

/// The Varlink project's own test, in which each end checks what the other one has made of its values.
///
/// Both ends of the package varlink-go talk with ours. The interface is theirs, as their service describes it.
@Suite(.timeLimit(.minutes(10))) struct CertificationTests {
  private static let program = "/usr/bin/varlink-go-certification"
  private static let name = "org.varlink.certification"

  /// The members of all calls and replies.
  private struct Values: Codable, Hashable, Sendable {
    var client: String?
    var bool: Bool?
    var int: Int?
    var float: Double?
    var string: String?
    var `struct`: Structure?
    var map: [String: String]?
    var set: [String: Nothing]?
    var mytype: Everything?
    var replies: [String]?
    var isSound: Bool?

    private enum CodingKeys: String, CodingKey {
      case client = "client_id"
      case bool, int, float, string, `struct`, map, set, mytype
      case replies = "last_more_replies"
      case isSound = "all_ok"
    }
  }

  private struct Nothing: Codable, Hashable, Sendable {}

  private struct Structure: Codable, Hashable, Sendable {
    var bool = false
    var int = 2
    var float = 3.141592653589793
    var string = "a lot of string"
  }

  private struct Everything: Codable, Hashable, Sendable {
    struct Object: Codable, Hashable, Sendable {
      var method = "org.varlink.certification.Test09"
      var parameters = ["map": ["foo": "Foo", "bar": "Bar"]]
    }
    struct Pair: Codable, Hashable, Sendable {
      var first = 1
      var second = "2"
    }
    struct Interface: Codable, Hashable, Sendable {
      var foo = [nil, ["Foo": "foo", "Bar": "bar"], nil, ["one": "foo", "two": "bar"]]
      var anon = ["foo": true, "bar": false]
    }
    var object = Object()
    var `enum` = "two"
    var `struct` = Pair()
    var array = ["one", "two", "three"]
    var dictionary = ["foo": "Foo", "bar": "Bar"]
    var stringset = ["one": Nothing(), "two": Nothing(), "three": Nothing()]
    var interface = Interface()
  }

  /// What the methods Test01 to Test09 answer; each is given what the one before answered.
  private static let replies = [
    Values(bool: true), Values(int: 1), Values(float: 1), Values(string: "ping"),
    Values(bool: false, int: 2, float: 3.141592653589793, string: "a lot of string"),
    Values(struct: Structure()), Values(map: ["foo": "Foo", "bar": "Bar"]),
    Values(set: ["one": Nothing(), "two": Nothing(), "three": Nothing()]),
    Values(mytype: Everything()),
  ]

  /// What Test10 answers, one after the other.
  private static let stream = (1...10).map { "Reply number \($0)" }

  @Test func `both ends of another implementation understand ours`() async throws {
    guard access(Self.program, X_OK) == 0 else { try Test.cancel("varlink-go isn't installed") }
    try await withTemporaryDirectory { folder in
      let service = try RunningProgram([Self.program, "-varlink", "unix:\(folder)/theirs"])
      let socket = try await firstAnswer {
        try? await StreamSocket.connect(toPath: folder + "/theirs")
      } otherwise: {
        "no service: \(service.errors)"
      }
      let description = try await certify(socket)
      await service.stop()

      let diary = ExampleService.Diary()
      let server = try server(described: description, diary)
      let listener = try ListeningSocket(path: folder + "/ours")
      let client = [Self.program, "-client", "-varlink", "unix:\(folder)/ours"]
      let result = try await withThrowingTaskGroup(of: Command.Result?.self) { group in
        group.addTask {
          await server.run(on: listener)
          return nil
        }
        group.addTask { try await Command(client).run() }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
      let sound = try #require(result)
      #expect(sound.status == 0 && sound.lines.last == "End: 'true'", "\(sound)")
      #expect(diary.all == (1...9).map { "Test0\($0)" } + ["Test10", "Test11"])
    }
  }

  /// Calls all methods of their service, and returns how it describes them.
  private func certify(_ socket: StreamSocket) async throws -> String {
    let connection = VarlinkConnection(socket, replyTimeout: .untilItHangs)
    let described = try await connection.call(
      "org.varlink.service.GetInterfaceDescription", ["interface": Self.name],
      returning: [String: String].self)
    var last = try await connection.call("\(Self.name).Start", returning: Values.self)
    let identifier = last.client
    for (index, expected) in Self.replies.enumerated() {
      last.client = identifier
      last = try await connection.call("\(Self.name).Test0\(index + 1)", last)
      #expect(last == expected)
    }
    last.client = identifier
    var strings: [String?] = []
    for try await reply in connection.stream(
      "\(Self.name).Test10", last, returning: Values.self)
    {
      strings.append(reply.string)
    }
    #expect(strings == Self.stream)
    // A call without an answer, as our client makes none.
    let parameters = #"{"client_id":"\#(identifier ?? "")","last_more_replies":\#(Self.stream)}"#
    let oneway = #"{"method":"\#(Self.name).Test11","oneway":true,"parameters":\#(parameters)}"#
    try await socket.write(Array(oneway.utf8) + [0])
    let end = try await connection.call(
      "\(Self.name).End", Values(client: identifier), returning: Values.self)
    #expect(end.isSound == true)
    return try #require(described["description"])
  }

  /// A server that answers as theirs does, and notes each call that has what it should have.
  private func server(
    described text: String, _ diary: ExampleService.Diary
  ) throws -> VarlinkServer {
    let client = "7"
    @Sendable func check(_ input: Values, of method: String, is expected: Values) throws {
      var expected = expected
      expected.client = client
      guard input == expected else {
        throw VarlinkError("\(Self.name).CertificationError", ["wants": expected, "got": input])
      }
      diary.note(method)
    }
    var methods: [String: VarlinkMethod] = [
      "Start": .call { (_: NoParameters, _) in Values(client: client) },
      "Test10": .stream { (input: Values, call, replies: VarlinkReplies<Values>) in
        try call.requireMore()
        try check(input, of: "Test10", is: Values(mytype: Everything()))
        for string in Self.stream.dropLast() { try await replies.send(Values(string: string)) }
        return Values(string: Self.stream.last)
      },
      "Test11": .call { (input: Values, call) -> NoParameters in
        guard call.isOneway else { throw VarlinkError("\(Self.name).CertificationError") }
        try check(input, of: "Test11", is: Values(replies: Self.stream))
        return NoParameters()
      },
      "End": .call { (_: Values, _) in Values(isSound: diary.all.count == 11) },
    ]
    for (index, reply) in Self.replies.enumerated() {
      let expected = index == 0 ? Values() : Self.replies[index - 1]
      let name = "Test0\(index + 1)"
      methods[name] = .call { (input: Values, _) in
        try check(input, of: name, is: expected)
        return reply
      }
    }
    return try VarlinkServer(
      interfaces: [
        VarlinkInterface(
          text: text, methods: methods,
          failure: { VarlinkError("\(Self.name).CertificationError", message: "\($0)") }),
        // It describes what every server may answer.
        ExampleService().interface(),
      ],
      faults: "org.example.things",
      information: VarlinkInformation(
        vendor: "Example", product: "Certification", version: "1", url: "https://example.org"),
      limits: .patient)
  }
}
