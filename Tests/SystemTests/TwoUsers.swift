import Foundation
import TestSupport
import Testing

/// An installed geofenced with two users who may connect, known by their uids alone.
struct TwoUsers {
  let box: SystemBox
  private let group: String

  private static let program = "/usr/local/bin/varlink-calls"

  /// One call, or one look at a socket that tells of itself.
  struct Call: Encodable, Sendable {
    var socket = "/run/geofenced/io.geofenced"
    var method: String?
    var parameters: String?
    var more = false

    /// Replies are taken until one contains this; nil takes one reply.
    var until: String?

    init(_ method: String, _ parameters: String, more: Bool = false, until: String? = nil) {
      self.method = method
      self.parameters = parameters
      self.more = more
      self.until = until
    }

    /// Listens, and says nothing.
    init(onSocket path: String, until: String) {
      socket = path
      self.until = until
    }
  }

  /// Boots a box with geofenced in it, or cancels the test.
  static func with(_ body: (TwoUsers) async throws -> Void) async throws {
    try await InstalledBox.with { installed in
      let box = installed.box
      let entry = try await box.check(["getent", "group", "geofenced"]).output
      let group = try #require(entry.split(separator: ":").dropFirst(2).first)
      try await box.write(script, to: program)
      // What lapses would be no refusal.
      try await box.write(
        "[Receiver]\nSessionGraceSec=1h\n", to: "/etc/geofenced/geofenced.conf.d/test.conf")
      try await body(TwoUsers(box: box, group: String(group)))
    }
  }

  /// Runs a program as a user; those who may connect are in the group.
  private func run(as user: UInt32, _ words: [String]) async throws -> Command.Result {
    guard user != 0 else { return try await box.run(words) }
    let groups = user == OwnershipTable.stranger ? ["--clear-groups"] : ["--groups", group]
    return try await box.run(
      ["setpriv", "--reuid", "\(user)", "--regid", "\(user)"] + groups + words)
  }

  /// Runs `geofenced ctl` as a user.
  func ctl(as user: UInt32, _ words: [String]) async throws -> Command.Result {
    try await run(as: user, ["geofenced", "ctl"] + words)
  }

  /// Makes calls one after the other, and returns their replies as they came.
  func call(as user: UInt32, _ calls: [Call]) async throws -> [String] {
    let file = "/run/calls-\(UUID().uuidString)"
    let encoder = JSONEncoder()
    let lines = try calls.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    try await box.write(lines.joined(separator: "\n"), to: file)
    let result = try await run(as: user, ["python3", Self.program, file])
    try #require(result.status == 0, "\(result.errors)")
    return result.lines
  }

  /// Parameters with the uid and the number of the event that their words stand for.
  func filled(_ parameters: String, _ event: Int) -> String {
    parameters.replacingOccurrences(of: "OWNER", with: "\(OwnershipTable.owner)")
      .replacingOccurrences(of: "EVENT", with: "\(event)")
  }

  /// Makes the owner's things, and returns the number of an event of the owner.
  func prepare() async throws -> Int {
    let calls = OwnershipTable.preparation.map { Call($0.method, $0.parameters, more: $0.more) }
    let replies = try await call(as: OwnershipTable.owner, calls)
    try #require(replies.count == calls.count)
    for (reply, call) in zip(replies, calls) {
      try #require(!reply.contains("\"error\""), "\(call.method ?? ""): \(reply)")
    }
    // Who held the sessions is gone; the daemon may not have seen it yet.
    try await box.wait(for: "the sessions to be let go", until: ["geofenced", "ctl", "sessions"]) {
      $0.lines.count == 2 && $0.lines.allSatisfy { $0.contains("lapses") }
    }
    let events = try await ctl(as: OwnershipTable.owner, ["events", "--json"]).lines
    return try ToldEvent(json: try #require(events.first)).sequence
  }

  /// What the owner has, without what changes by itself.
  func ownersThings() async throws -> [String] {
    var things: [String] = []
    for words in [["list"], ["consumer", "list"], ["sessions"], ["monitor", "list"], ["events"]] {
      things += try await ctl(as: OwnershipTable.owner, words + ["--json"]).lines
    }
    // Counted from the time of the call, which may have been set meanwhile.
    things = things.map { $0.replacing(/"lapses":"[^"]+"/, with: "lapses") }
    // A recording under way grows.
    things += try await ctl(as: OwnershipTable.owner, ["record", "list"]).lines.compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    try #require(things.count >= 8, "\(things)")
    return things
  }

  /// Makes the calls in a file, and prints their replies, a line each.
  private static let script = """
    import json, socket, sys

    def replies(peer, end):
        rest = b""
        while True:
            bytes = peer.recv(65536)
            if not bytes:
                return
            rest += bytes
            *whole, rest = rest.split(end)
            for message in whole:
                yield message.decode()

    for line in open(sys.argv[1]):
        call = json.loads(line)
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(300)
            try:
                peer.connect(call["socket"])
            except PermissionError:
                print("PermissionError")
                continue
            if "method" in call:
                request = {"method": "io.geofenced." + call["method"], "more": call["more"],
                           "parameters": json.loads(call["parameters"])}
                peer.sendall(json.dumps(request).encode() + b"\\0")
            for reply in replies(peer, b"\\0" if "method" in call else b"\\n"):
                print(reply, flush=True)
                if call.get("until", "") in reply:
                    break
    """
}
