/// For every method of `io.geofenced`: how a user tries to reach another's things, what must come
/// back, and how root reaches them.
///
/// A new method needs an entry here, or the test that goes through the table fails. The owner has two
/// things of each kind. One has a name that begins with `shared`, which the other user guesses; the
/// other's begins with `secret`, and ``marks`` tell of it.
enum OwnershipTable {
  /// What must come back to the other user.
  enum Expected: Sendable {
    /// An error of this name.
    case refused(String)

    /// A reply in which nothing of the owner stands, and this, if anything.
    case nothing(but: String = "parameters")
  }

  /// One way in which the other user tries.
  struct Attempt: Sendable {
    /// JSON, with `OWNER` for the owner's uid and `EVENT` for the number of one of its events.
    let parameters: String
    let expected: Expected
    var more = false

    init(_ parameters: String, _ expected: Expected, more: Bool = false) {
      self.parameters = parameters
      self.expected = expected
      self.more = more
    }
  }

  /// What is tried with one method.
  struct Entry: Sendable {
    let method: String
    let attempts: [Attempt]

    /// How root reaches the owner's things, and what it then sees; nil where a method is about
    /// nobody's.
    let byRoot: (parameters: String, shows: String)?
    var rootWantsMore = false
  }

  /// The uids, which are like nothing else that could stand in a reply.
  static let owner: UInt32 = 3_141_592_653
  static let other: UInt32 = 2_718_281_828
  static let stranger: UInt32 = 1_414_213_562

  /// Where the owner's conditions are.
  static let latitude = "12.345678"

  /// What stands in a reply only when it tells of the owner.
  static let marks = ["\(owner)", "secret", latitude]

  static let denied = Expected.refused("PermissionDenied")

  private static func circle(_ latitude: String) -> String {
    #""condition":{"circle":{"center":{"latitude":\#(latitude),"longitude":1},"radius":100}}"#
  }

  /// What the owner does before anybody tries anything, in this order.
  static let preparation: [(method: String, parameters: String, more: Bool)] = [
    ("Add", #"{"identifier":"shared-home",\#(circle(latitude))}"#, false),
    (
      "Add", #"{"monitor":"shared-monitor","identifier":"secret-home",\#(circle(latitude))}"#, false
    ),
    ("Add", #"{"identifier":"secret-old","assuming":"satisfied",\#(circle(latitude))}"#, false),
    ("Remove", #"{"identifier":"secret-old"}"#, false),
    ("Consume", #"{"consumer":"shared-reader"}"#, false),
    ("Consume", #"{"consumer":"secret-reader","monitor":"shared-monitor"}"#, false),
    ("SetMonitor", #"{"monitor":"shared-monitor","launchUnit":"secret.service"}"#, false),
    ("Session", #"{"name":"shared-trip"}"#, true),
    ("Session", #"{"name":"secret-trip"}"#, true),
    ("StartRecording", #"{"name":"shared-drive"}"#, false),
    ("StopRecording", "{}", false),
    ("StartRecording", #"{"name":"secret-drive"}"#, false),
  ]

  /// The methods, in an order in which root can use them one after the other.
  static let entries: [Entry] = [
    Entry(
      method: "Add",
      attempts: [
        Attempt(#"{"user":OWNER,"identifier":"shared-home",\#(circle("1"))}"#, denied),
        Attempt(#"{"user":OWNER,"identifier":"new",\#(circle("1"))}"#, denied),
        Attempt(#"{"identifier":"shared-new",\#(circle("1"))}"#, .nothing(but: "added")),
        Attempt(
          #"{"monitor":"shared-monitor","identifier":"new",\#(circle("1"))}"#,
          // Its own monitor of that name, which begins empty.
          .nothing(but: #""outcome":"added""#)),
      ],
      byRoot: (#"{"user":OWNER,"identifier":"of-root",\#(circle("1"))}"#, "\(owner)")),
    Entry(
      method: "Adjust",
      attempts: [
        Attempt(
          #"{"user":OWNER,"identifier":"shared-home","adjustment":{"exitAfter":9}}"#, denied),
        Attempt(
          #"{"identifier":"shared-home","adjustment":{"exitAfter":9}}"#,
          .refused("NoSuchCondition")),
      ],
      byRoot: (
        #"{"user":OWNER,"identifier":"shared-home","adjustment":{"exitAfter":9}}"#, "\(owner)"
      )),
    Entry(
      method: "Change",
      attempts: [
        Attempt(#"{"user":OWNER,"conditions":[{"identifier":"new",\#(circle("1"))}]}"#, denied),
        Attempt(#"{"user":OWNER,"remove":["shared-home"]}"#, denied),
        Attempt(#"{"user":OWNER,"sync":true}"#, denied),
        Attempt(#"{"user":OWNER,"sync":true,"dryRun":true}"#, denied),
        Attempt(#"{"remove":["shared-home"]}"#, .refused("NoSuchCondition")),
        Attempt(
          #"{"conditions":[{"identifier":"shared-home",\#(circle("1"))}],"dryRun":true}"#,
          // Its own, which isn't there yet.
          .nothing(but: #""replaced":0"#)),
        // Its own monitor of that name, which begins empty and stays so.
        Attempt(
          #"{"monitor":"shared-monitor-2","sync":true}"#, .nothing(but: #""removed":0"#)),
      ],
      byRoot: (
        #"{"user":OWNER,"conditions":[{"identifier":"shared-home",\#(circle("2"))}],"dryRun":true}"#,
        #""replaced":1"#
      )),
    Entry(
      method: "List",
      attempts: [
        Attempt(#"{"user":OWNER}"#, denied), Attempt("{}", .nothing(but: "shared-new")),
        Attempt(#"{"monitor":"default"}"#, .nothing()),
        Attempt(#"{"after":{"user":OWNER,"monitor":"a","identifier":"a"}}"#, .nothing()),
      ], byRoot: (#"{"user":OWNER}"#, "secret-home")),
    Entry(
      method: "Record",
      attempts: [
        Attempt(#"{"user":OWNER,"identifier":"shared-home"}"#, denied),
        Attempt(#"{"identifier":"shared-home"}"#, .refused("NoSuchCondition")),
      ], byRoot: (#"{"user":OWNER,"identifier":"shared-home"}"#, latitude)),
    Entry(
      method: "Events",
      attempts: [
        Attempt(#"{"user":OWNER,"since":0}"#, denied), Attempt(#"{"since":0}"#, .nothing()),
        Attempt(#"{"monitor":"default","since":0}"#, .nothing()),
        Attempt(#"{"identifier":"secret-old","since":0}"#, .nothing()),
      ], byRoot: (#"{"user":OWNER,"since":0}"#, "secret-old")),
    Entry(
      method: "Consume",
      attempts: [
        Attempt(#"{"user":OWNER,"consumer":"shared-reader"}"#, denied),
        Attempt(#"{"user":OWNER,"consumer":"new"}"#, denied),
        Attempt(#"{"consumer":"shared-reader"}"#, .nothing()),
        Attempt(#"{"consumer":"shared-reader"}"#, .nothing(), more: true),
        Attempt(#"{"consumer":"shared-reader","monitor":"default"}"#, .nothing(), more: true),
      ], byRoot: (#"{"user":OWNER,"consumer":"shared-reader"}"#, "secret-old")),
    Entry(
      method: "Acknowledge",
      attempts: [
        Attempt(#"{"user":OWNER,"consumer":"shared-reader","sequence":EVENT}"#, denied),
        Attempt(
          #"{"consumer":"guessed-reader","sequence":EVENT}"#, .refused("NoSuchConsumer")),
      ], byRoot: (#"{"user":OWNER,"consumer":"shared-reader","sequence":EVENT}"#, "parameters")),
    Entry(
      method: "Consumers",
      attempts: [Attempt(#"{"user":OWNER}"#, denied), Attempt("{}", .nothing())],
      byRoot: (#"{"user":OWNER}"#, "secret-reader")),
    Entry(
      method: "SetMonitor",
      attempts: [
        Attempt(#"{"user":OWNER,"monitor":"default","launchUnit":"a.service"}"#, denied),
        Attempt(#"{"user":OWNER,"monitor":"default"}"#, denied),
        // Its own of that name, which has neither the owner's conditions nor its unit.
        Attempt(
          #"{"monitor":"shared-monitor","launchUnit":"own.service"}"#,
          .nothing(but: #""consumers":0"#)),
      ], byRoot: (#"{"user":OWNER,"monitor":"default","launchUnit":"b.service"}"#, "\(owner)")),
    Entry(
      method: "Monitors",
      attempts: [Attempt(#"{"user":OWNER}"#, denied), Attempt("{}", .nothing())],
      byRoot: (#"{"user":OWNER}"#, "secret.service")),
    Entry(
      method: "Nearest",
      attempts: [
        Attempt(#"{"user":OWNER}"#, denied), Attempt("{}", .nothing(but: "shared-new")),
        Attempt(#"{"user":OWNER}"#, denied, more: true),
        Attempt(#"{"monitor":"shared-monitor"}"#, .nothing(but: #""total":1"#)),
        Attempt(#"{"monitor":"default","limit":50}"#, .nothing(but: #""total":1"#)),
      ], byRoot: (#"{"user":OWNER}"#, "secret-home")),
    Entry(method: "Locations", attempts: [Attempt("{}", .nothing())], byRoot: nil),
    Entry(
      method: "Session",
      attempts: [
        Attempt(#"{"user":OWNER,"name":"shared-trip"}"#, denied, more: true),
        Attempt(#"{"user":OWNER,"name":"new"}"#, denied, more: true),
        // Its own of that name, not the owner's, which would be rejoined.
        Attempt(#"{"name":"shared-trip"}"#, .nothing(but: "begun"), more: true),
      ], byRoot: (#"{"user":OWNER,"name":"shared-trip"}"#, "rejoined"), rootWantsMore: true),
    Entry(
      method: "Sessions",
      attempts: [Attempt(#"{"user":OWNER}"#, denied), Attempt("{}", .nothing())],
      byRoot: (#"{"user":OWNER}"#, "secret-trip")),
    Entry(
      method: "Explain",
      attempts: [
        Attempt(#"{"user":OWNER,"sequence":EVENT}"#, denied),
        Attempt(#"{"sequence":EVENT}"#, .refused("NoSuchEvent")),
        Attempt(#"{"user":OWNER,"identifier":"shared-home"}"#, denied),
        Attempt(#"{"identifier":"shared-home"}"#, .refused("NoSuchCondition")),
      ], byRoot: (#"{"user":OWNER,"sequence":EVENT}"#, "secret-old")),
    Entry(
      method: "Status", attempts: [Attempt("{}", .nothing())], byRoot: ("{}", "secret-reader")),
    Entry(
      method: "Advise",
      attempts: [
        Attempt(#"{"user":OWNER}"#, denied), Attempt("{}", .nothing(but: "shared-new")),
        Attempt(#"{"user":OWNER,"identifier":"shared-home"}"#, denied),
        Attempt(#"{"identifier":"shared-home"}"#, .refused("NoSuchCondition")),
        Attempt(#"{"after":{"user":OWNER,"monitor":"a","identifier":"a"}}"#, .nothing()),
      ], byRoot: (#"{"user":OWNER}"#, "secret-home")),
    Entry(
      method: "Recordings",
      attempts: [Attempt(#"{"user":OWNER}"#, denied), Attempt("{}", .nothing())],
      byRoot: (#"{"user":OWNER}"#, "secret-drive")),
    Entry(
      method: "ReadRecording",
      attempts: [
        Attempt(#"{"user":OWNER,"name":"shared-drive"}"#, denied),
        Attempt(#"{"name":"shared-drive"}"#, .refused("NoSuchRecording")),
      ], byRoot: (#"{"user":OWNER,"name":"shared-drive"}"#, "text")),
    Entry(
      method: "StopRecording", attempts: [Attempt("{}", denied)], byRoot: ("{}", "secret-drive")),
    Entry(
      method: "StartRecording",
      attempts: [
        Attempt(#"{"user":OWNER,"name":"new"}"#, denied),
        // There is one recording at a time, and it isn't said whose.
        Attempt(#"{"name":"new"}"#, .refused("RecordingRefused")),
      ], byRoot: (#"{"user":OWNER,"name":"of-root"}"#, "\(owner)")),
    Entry(
      method: "DeleteRecording",
      attempts: [
        Attempt(#"{"user":OWNER,"name":"shared-drive"}"#, denied),
        Attempt(#"{"name":"shared-drive"}"#, .refused("NoSuchRecording")),
      ], byRoot: (#"{"user":OWNER,"name":"shared-drive"}"#, "shared-drive")),
    Entry(
      method: "InvalidateSession",
      attempts: [
        Attempt(#"{"user":OWNER,"name":"shared-trip"}"#, denied),
        Attempt(#"{"user":OWNER,"name":"shared-trip","unlessHeld":true}"#, denied),
        Attempt(#"{"name":"guessed-trip"}"#, .refused("NoSuchSession")),
      ], byRoot: (#"{"user":OWNER,"name":"shared-trip"}"#, "parameters")),
    Entry(
      method: "RemoveConsumer",
      attempts: [
        Attempt(#"{"user":OWNER,"consumer":"shared-reader"}"#, denied),
        Attempt(#"{"consumer":"guessed-reader"}"#, .refused("NoSuchConsumer")),
      ], byRoot: (#"{"user":OWNER,"consumer":"shared-reader"}"#, "parameters")),
    Entry(
      method: "Remove",
      attempts: [
        Attempt(#"{"user":OWNER,"identifier":"shared-home"}"#, denied),
        Attempt(#"{"identifier":"shared-home"}"#, .refused("NoSuchCondition")),
      ], byRoot: (#"{"user":OWNER,"identifier":"shared-home"}"#, "\(owner)")),
  ]
}
