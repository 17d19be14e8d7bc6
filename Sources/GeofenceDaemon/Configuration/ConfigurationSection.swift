import CommandLineParsing
import Geofencing
import Systemd
import Varlink

/// One section of `geofenced.conf` with its keys.
package struct ConfigurationSection: Sendable {
  /// Its name, without brackets.
  package let name: String
  /// What its keys are about: a sentence.
  package let documentation: String
  /// Its keys in the order of the manual.
  package let keys: [ConfigurationKey]

  /// All sections; every key is defined here and nowhere else.
  package static let all: [ConfigurationSection] = [
    receiver, decision, storage, journal, socket, limits, launch,
  ]

  /// The section that has a key of this name; nil if none has.
  static func home(ofKey name: String) -> ConfigurationSection? {
    all.first { section in section.keys.contains { $0.name == name } }
  }

  /// The key that chooses a row of numbers.
  static let liveConfiguration = "LiveConfiguration"

  /// The keys that take effect only at the start.
  static let keysOfStart: [ConfigurationKey] =
    storage.keys.filter { $0.name == "StateDirectory" } + socket.keys

  private static let storage = ConfigurationSection(
    name: "Storage", documentation: "What is kept, and for how long.",
    keys: [
      .directory(
        "StateDirectory", \.storage.stateDirectory, longest: 3_000,
        """
        The directory of the database with conditions, their states and events. The environment \
        variable $STATE_DIRECTORY overrides it: in the service, systemd sets that to \
        /var/lib/geofenced, so to keep it on another disk, mount that there. In a file, whose \
        lines have at most 198 bytes, the path has at most 183; a longer one is for the variable. \
        A reload doesn't change it.
        """),
      .integer(
        "EventRetention", \.storage.eventRetention, 1...1_000_000_000,
        """
        How many events are kept; older ones are removed. Each takes half a kilobyte, and its \
        explanation up to two more. To watch many conditions, keep more: when the receiver is \
        silent for UnknownAfterSec=, and when that ends, there is an event for each of them. If \
        the log has filled its disk, a lower number makes room.
        """),
      .duration(
        "EventRetentionSec", \.storage.eventRetentionTime,
        .seconds(60) ... .seconds(3_650 * 86_400),
        """
        How long events are kept. Events are always removed from the beginning of the log, so one \
        that a wrong clock made old stays until those before it go. An event that was recorded \
        before the clock was set is as old as its date says, and none that came since the daemon's \
        start is older than that start. In the first hour after the start (or this time, if that \
        is shorter) no event is removed for its age, unless the receiver's time confirms the \
        clock. While the two have different dates, none is removed either. Old events are looked \
        for once a minute.
        """),
      .duration(
        "CheckpointSec", \.storage.checkpoint, .seconds(1) ... .seconds(3_600),
        """
        How often the last position is saved, with what it takes to go on from there. The saved \
        position bounds the time of what happened while the daemon was not running: a shorter \
        interval narrows those bounds and writes more.
        """),
      .integer(
        "MaximumRecordings", \.storage.maximumRecordings, 0...10_000,
        """
        How many recordings of the receiver may be kept, of all users together; 0 turns \
        'geofenced ctl record' off.
        """),
      .integer(
        "MaximumRecordingBytes", \.storage.maximumRecordingBytes,
        Recorder.leastBytes...100_000_000_000,
        "How large one recording may get; it ends at that size."),
      .duration(
        "MaximumRecordingSec", \.storage.maximumRecordingTime,
        .seconds(1) ... .seconds(365 * 86_400), "How long one recording may last; it ends then."),
    ])

  private static let journal = ConfigurationSection(
    name: "Journal", documentation: "What is written to the systemd journal.",
    keys: [
      .boolean(
        "Enabled", \.journal.isEnabled,
        """
        Whether every event is written to the journal. While this is off, events wait in the log, \
        as long as the log keeps them, and are written when it is on again.
        """),
      .boolean(
        "JournalCoordinates", \.journal.coordinates,
        """
        Whether events in the journal include their positions. These are personal data, which \
        everybody who may read the journal could see.
        """),
    ])

  private static let socket = ConfigurationSection(
    name: "Socket",
    documentation: """
      The sockets, and what clients may ask of them. A reload doesn't change these: they are read \
      when the daemon starts.
      """,
    keys: [
      .directory(
        "RuntimeDirectory", \.socket.runtimeDirectory, longest: 90,
        """
        The directory of the sockets. The environment variable $RUNTIME_DIRECTORY, which systemd \
        sets for units with RuntimeDirectory=, overrides it, and sockets that systemd hands over \
        override both.
        """),
      .integer(
        "MaximumConnections", \.socket.varlink.maximumConnections, 1...10_000,
        """
        How many clients may be connected to each socket at once. Root's are counted separately, \
        so that other users can't lock root out.
        """),
      .integer(
        "MaximumConnectionsPerUser", \.socket.varlink.maximumConnectionsPerUser, 1...10_000,
        "How many of these connections one user other than root may have."),
      .integer(
        "MaximumMessageBytes", \.socket.varlink.maximumMessageBytes, 4_096...67_108_864,
        """
        How long one message to the control socket may be. An import sends messages of about 250 \
        kB; a single shape that is larger needs a longer one.
        """),
      .integer(
        "MaximumMessageBytesPerUser", \.socket.varlink.maximumMessageBytesPerUser,
        65_536...1_073_741_824,
        """
        How many bytes the long messages of one user may have over all its connections: requests \
        that aren't answered yet, and replies that aren't read yet. Only what a message has beyond \
        64 KiB counts. A message of MaximumMessageBytes= always fits, and so does a longer reply \
        to a user who has no other. A user's long requests are read one after the other; while one \
        is read, it takes up to some twenty-five times its length in memory.
        """),
      .integer(
        "MaximumRequestsPerSecond", \.socket.varlink.maximumRequestsPerSecond, 1...1_000_000,
        "How many requests one user may make in a second, over all its connections together."),
    ])

  private static let limits = ConfigurationSection(
    name: "Limits", documentation: "What one user may have.",
    keys: [
      .integer(
        "MaximumConditionsPerUser", \.limits.maximumConditionsPerUser, 1...10_000_000,
        """
        How many conditions one user may have in all monitors together. A user other than root may add or \
        replace twice as many in an hour, and 10000 at least.
        """),
      .integer(
        "MaximumVerticesPerUser", \.limits.maximumVerticesPerUser, 1...100_000_000,
        "How many vertices the polygons and corridors of one user may have in all."),
      .integer(
        "MaximumMonitorsPerUser", \.limits.maximumMonitorsPerUser, 1...1_000_000,
        "How many monitors with conditions one user may have, and how many with a LaunchUnit=."),
      .integer(
        "MaximumSessionsPerUser", \.limits.maximumSessionsPerUser, 1...1_000,
        "How many background activity sessions one user may have at a time."),
      .integer(
        "MaximumConsumersPerUser", \.limits.maximumConsumersPerUser, 1...100_000,
        "How many consumers one user may give a name."),
    ])

  private static let launch = ConfigurationSection(
    name: "Launch",
    documentation: """
      Units that are started when an event of a monitor waits and no named consumer of the monitor \
      is connected. 'geofenced ctl monitor set' sets the unit of one monitor, and overrides the \
      one that is named here; 'geofenced ctl monitor list' shows which are in force.
      """,
    keys: [
      .pairs(
        "LaunchUnit", \.launch.units,
        wants: "[UID/]MONITOR:UNIT pairs, separated by blanks, UNIT being \(UnitName.expectation)",
        """
        Which unit is started for which monitor. Without UID the monitor is root's and the unit \
        one of the system. With UID both belong to that user, and the unit is started by the \
        user's own service manager while that runs. The key may be given more than once, and the \
        pairs add up; an empty value forgets those before it. A line has at most 198 bytes: a pair \
        that is too long for one is for 'geofenced ctl monitor set'.
        """,
        parse: launchUnit, format: { key, unit in "\(key.user)/\(key.name):\(unit)" }),
      .duration(
        "LaunchIntervalSec", \.launch.interval, .seconds(1) ... .seconds(3600),
        """
        The shortest time between two starts for one monitor. While nobody reads anything, it \
        doubles, up to ten minutes; where it is more already, it stays. While there is no named \
        consumer yet, there is one start per event.
        """),
    ])

  /// The monitor and the unit of a pair such as `1000/home:open.service`, where no user means root; nil if the
  /// text isn't such a pair.
  private static func launchUnit(_ pair: Substring) -> (MonitorKey, UnitName)? {
    // The names of units may have colons, those of monitors have none.
    guard let colon = pair.firstIndex(of: ":"),
      let unit = UnitName(pair[pair.index(after: colon)...])
    else { return nil }
    let parts = pair[..<colon].split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let name = parts.last.map({ String($0) }),
      Identifier.isValid(name)
    else { return nil }
    guard parts.count == 2 else { return (MonitorKey(user: 0, name: name), unit) }
    guard let user = Int(strict: parts[0]).flatMap({ UInt32(exactly: $0) }), user != .max else {
      return nil
    }
    return (MonitorKey(user: user, name: name), unit)
  }
}
