import CommandLineParsing
import Geofencing
import Positioning
import Systemd

/// One section of `geofenced.conf` with its keys.
package struct ConfigurationSection: Sendable {
  /// Its name, without brackets.
  package let name: String
  /// What its keys are about: a sentence.
  package let documentation: String
  /// Its keys in the order in which they are told.
  package let keys: [ConfigurationKey]

  /// All sections, and so all that can be set: the one place where a key is defined.
  package static let all: [ConfigurationSection] = [
    receiver, decision, storage, journal, socket, limits, launch,
  ]

  /// The key that chooses a row of numbers.
  static let liveConfiguration = "LiveConfiguration"

  /// The keys whose values the row sets where the files don't.
  static let liveKeys: Set<String> = [
    "StationarySpeed", "StationaryRadius", "StationarySec", "MaximumAcceleration",
    "PauseAfterSec", "MaximumSpeed", "EnterFixes", "EnterSec", "ExitFixes", "ExitSec",
  ]

  private static let receiver = ConfigurationSection(
    name: "Receiver", documentation: "Where positions come from, and which of them are used.",
    keys: [
      .word(
        liveConfiguration, \.receiver.live,
        """
        What the receiver moves with. It chooses a row of the table below, whose numbers hold \
        wherever their own key isn't set, in whatever order the lines stand.
        """),
      .text(
        "Host", \.receiver.host, wants: "a host name or an address",
        "The host on which gpsd runs. An address needs no name service at start.",
        where: { text in
          (1...253).contains(text.utf8.count)
            && text.allSatisfy {
              $0.isASCII && ($0.isLetter || $0.isNumber || ".:-_%".contains($0))
            }
        }),
      .integer("Port", \.receiver.port, 1...65_535, "The TCP port of gpsd."),
      .text(
        "Device", \.receiver.device,
        wants: "the name of a device, of at most 127 bytes, without blanks",
        """
        The one receiver to listen to, as gpsd names it, for example /dev/ttyACM0. Empty, the \
        default, means all receivers that gpsd has.
        """,
        where: { text in text.utf8.count <= 127 && text.utf8.allSatisfy { $0 > 32 && $0 != 127 } }),
      .choice(
        "AccuracyMeaning", \.positioning.accuracyMeaning,
        """
        How many percent of all positions lie within the accuracy that a receiver reports, and of \
        all heights and speeds within theirs. gpsd aims at 95, but receivers that estimate their \
        own accuracy differ.
        """),
      .choices(
        "DeviceAccuracyMeaning", \.positioning.deviceAccuracyMeanings,
        """
        The same for single receivers, as pairs of the name that gpsd gives the receiver and the \
        percentage, for example /dev/ttyACM0:68. The key may stand more than once and adds up; an \
        empty value forgets the pairs before it.
        """),
      .number(
        "DefaultAccuracy", \.defaultAccuracy, 1...10_000, unit: "metres",
        """
        The accuracy of positions that come without one: the radius of the circle that holds the \
        true position in 68 of 100 cases.
        """),
      .number(
        "DefaultVerticalAccuracy", \.decision.defaultVerticalAccuracy, 1...10_000, unit: "metres",
        """
        The accuracy of altitudes that come without one: how far they are off at most in 68 of 100 \
        cases. Only conditions with a band of altitudes use it.
        """),
      .number(
        "MaximumAccuracy", \.positioning.maximumAccuracy, 1...100_000, unit: "metres",
        "A position whose accuracy, as that radius, is worse than this is rejected."),
      .number(
        "MaximumSpeed", \.positioning.maximumSpeed, 1...100_000, unit: "metres per second",
        """
        Two positions that could only be reached faster than this are taken for a jump, and the \
        later one is rejected until others confirm it. The default leaves room for airliners.
        """),
      .duration(
        "SilenceSec", \.receiver.silence, .seconds(1) ... .seconds(3_600),
        """
        How long gpsd may send no position report before it is asked whether it is still there. \
        After as long again without an answer, the connection is made anew.
        """),
      .duration(
        "StaleSec", \.positioning.staleAfter, .seconds(1) ... .seconds(3_600),
        "How long a position stays the current one when no other can be used."),
      .duration(
        "ReconnectMinSec", \.receiver.reconnectMinimum, .milliseconds(100) ... .seconds(300),
        """
        How long to wait before gpsd is tried again after the connection failed. Each failure \
        doubles the time.
        """),
      .duration(
        "ReconnectMaxSec", \.receiver.reconnectMaximum, .milliseconds(100) ... .seconds(3_600),
        "The longest that this waiting time gets. It may not be shorter than ReconnectMinSec=."),
      .duration(
        "SessionGraceSec", \.receiver.sessionGrace, .zero ... .seconds(86_400),
        """
        How long a background activity session goes on after the last client that held it is gone. \
        Until then the receiver stays in use, and a client that comes back rejoins the session.
        """),
      .boolean(
        "MotionSensor", \.receiver.usesMotionSensor,
        """
        Whether a motion sensor that Linux has a driver for (industrial I/O) is used to notice, \
        while the receiver is released, that the device is moved. Without one, or without the right \
        to use it, the receiver is only asked now and then; "geofenced ctl status" tells which. \
        What the service may not do by itself, and how to allow it, is explained in \
        geofenced.service.
        """),
      .directory(
        "SysfsRoot", \.receiver.sysfsRoot, longest: 3_000,
        "Where sysfs is mounted. It is used to look for motion sensors."),
      .number(
        "StationarySpeed", \.stationary.speed, 0.05...100, unit: "metres per second",
        "The speed up to which the receiver may be at rest, as the median of those it reports."),
      .number(
        "StationaryRadius", \.stationary.radius, 1...1_000, unit: "metres",
        """
        How far three quarters of the positions may lie from their middle for the receiver to be at \
        rest. Twice as far from there, for 45s, it has moved, whatever its speed.
        """),
      .duration(
        "StationarySec", \.stationary.window, .seconds(30) ... .seconds(86_400),
        "How long the receiver must have been still to be at rest."),
      .number(
        "MaximumAcceleration", \.stationary.maximumAcceleration, 1...1_000,
        unit: "metres per second squared",
        "A reported speed that changes faster than this isn't taken for movement."),
      .word(
        "PauseMode", \.pause.mode,
        """
        What happens when the receiver has been at rest for PauseAfterSec=. With updates, who \
        listens to locations gets a last one that is stationary, and then none until the receiver \
        moves; conditions are judged as ever. With receiver, the receiver is released too: the \
        connection to gpsd is closed, so that a gpsd without -n closes the device, a minute after \
        its last client has left. Then it is looked at every PauseProbeSec=, or at once when a \
        motion sensor stirs. An exit that happens meanwhile is told late by at most that time, the \
        time that the receiver needs for a fix, and the confirmation; what stands still again by \
        then, elsewhere, needs JumpSec= too. When no fix comes within 1min, the look is given up \
        until the next. A background activity session keeps the receiver in use, as updates does. \
        With never, locations go on.
        """),
      .duration(
        "PauseAfterSec", \.pause.after, .seconds(30) ... .seconds(86_400),
        "How long the receiver must have been still before the pause; never less than StationarySec=."
      ),
      .duration(
        "PauseProbeSec", \.pause.probeInterval, .seconds(5) ... .seconds(86_400),
        """
        The time between two looks at a released receiver. As gpsd closes a device only a minute \
        after its last client has left, a longer time is needed to save the device's power too. \
        It should be shorter than UnknownAfterSec=, or states become unknown during a pause.
        """),
    ])

  private static let decision = ConfigurationSection(
    name: "Decision", documentation: "When a condition is taken for satisfied or unsatisfied.",
    keys: [
      .number(
        "Confidence", \.decision.confidence, 0.5...0.9999,
        """
        The probability of being inside from which a condition becomes satisfied; it becomes \
        unsatisfied when outside is as probable. Between the two nothing changes. A higher value \
        makes fewer false events and later true ones.
        """),
      .number(
        "StillConfidence", \.decision.stillConfidence, 0.5...0.999999,
        """
        The confidence that is asked for, if it is the higher one, while the receiver's speed says \
        that it stands still: standing still is no way to cross a line.
        """),
      .number(
        "CertainConfidence", \.decision.certainty, 0.5...1,
        """
        The confidence from which a change needs no more positions and no more time while the \
        receiver's speed says that it moves. 1 always waits. What is asked for is always waited \
        for too: other values of EnterFixes=, EnterSec=, ExitFixes= and ExitSec= than the \
        defaults, and a condition's own times.
        """),
      .duration(
        "JumpSec", \.decision.jumpTime, .zero ... .seconds(3_600),
        """
        How long positions that contradict the receiver's own speed have to agree with each other \
        before they are believed. Reflections between walls last up to 20 seconds.
        """),
      .number(
        "AccuracyFactor", \.decision.accuracyFactor, 1...10,
        "What every reported accuracy is multiplied by, because receivers are optimistic."),
      .number(
        "MinimumSigma", \.decision.minimumSigma, 0.1...1_000, unit: "metres",
        """
        The smallest standard deviation of a position that is believed, whatever the receiver \
        reports.
        """),
      .integer(
        "EnterFixes", \.decision.askedEnterFixes, 1...100,
        """
        How many positions in a row must be confidently inside before a condition is satisfied. \
        Beyond CertainConfidence= one is enough.
        """),
      .duration(
        "EnterSec", \.decision.askedEnterTime, .zero ... .seconds(3_600),
        "How long those positions must span."),
      .integer(
        "ExitFixes", \.decision.askedExitFixes, 1...100,
        """
        How many positions in a row must be confidently outside before a condition is \
        unsatisfied. Beyond CertainConfidence= one is enough.
        """),
      .duration(
        "ExitSec", \.decision.askedExitTime, .zero ... .seconds(3_600),
        "How long those positions must span."),
      .duration(
        "UnknownAfterSec", \.decision.unknownAfter, .seconds(10) ... .seconds(30 * 86_400),
        """
        How long without a usable position before what was known becomes unknown, and without one \
        that speaks for it before a change that is being confirmed has to begin anew.
        """),
      .duration(
        "GapSec", \.decision.gap, .seconds(1) ... .seconds(86_400),
        """
        From this time between two positions on, an event gives the bounds between which it \
        happened instead of one time.
        """),
      .duration(
        "CrossedWithinSec", \.decision.crossedWithin, .zero ... .seconds(3_600),
        """
        The longest time between two positions outside whose straight connection is taken for the \
        way travelled, so that running through a condition is noticed. 0 turns this off.
        """),
    ])

  private static let storage = ConfigurationSection(
    name: "Storage", documentation: "What is kept, and for how long.",
    keys: [
      .directory(
        "StateDirectory", \.storage.stateDirectory, longest: 3_000,
        """
        The directory of the database with conditions, records and events. The environment \
        variable $STATE_DIRECTORY, which systemd sets, comes before it. A reload doesn't change \
        it.
        """),
      .integer(
        "EventRetention", \.storage.eventRetention, 1...1_000_000_000,
        "How many events are kept; older ones are removed."),
      .duration(
        "EventRetentionSec", \.storage.eventRetentionTime,
        .seconds(60) ... .seconds(3_650 * 86_400),
        """
        How long events are kept; older ones are removed, always the first ones of the log: one \
        that a wrong clock made old stays until those before it go. What came since the daemon's \
        start isn't older than that, whatever the clock says.
        """),
      .duration(
        "CheckpointSec", \.storage.checkpoint, .seconds(1) ... .seconds(3_600),
        """
        How often the time of the last position is saved. It bounds what happened while the \
        daemon was not running: a shorter time narrows those bounds and writes more.
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
        "How large one recording may get; it ends there."),
      .duration(
        "MaximumRecordingSec", \.storage.maximumRecordingTime,
        .seconds(1) ... .seconds(365 * 86_400), "How long one recording may go on; it ends then."),
    ])

  private static let journal = ConfigurationSection(
    name: "Journal", documentation: "What the systemd journal is told.",
    keys: [
      .boolean("Enabled", \.journal.isEnabled, "Whether every event is written to the journal."),
      .boolean(
        "JournalCoordinates", \.journal.coordinates,
        """
        Whether positions are written with it. They are personal data, which everybody who may \
        read the journal could see.
        """),
    ])

  private static let socket = ConfigurationSection(
    name: "Socket",
    documentation: """
      The sockets, and what clients may ask of them. A reload doesn't change these: they are \
      taken when the daemon starts.
      """,
    keys: [
      .directory(
        "RuntimeDirectory", \.socket.runtimeDirectory, longest: 90,
        """
        The directory of the sockets. The environment variable $RUNTIME_DIRECTORY, which systemd \
        sets, comes before it, and sockets that systemd hands over come before both.
        """),
      .integer(
        "MaximumConnections", \.socket.maximumConnections, 1...10_000,
        """
        How many clients may be connected to each socket at once. Those of root are counted apart, \
        so that others can't keep it out.
        """),
      .integer(
        "MaximumConnectionsPerUser", \.socket.maximumConnectionsPerUser, 1...10_000,
        "How many of them may be of one user other than root."),
      .integer(
        "MaximumMessageBytes", \.socket.maximumMessageBytes, 4_096...67_108_864,
        "How long one message to the control socket may be."),
      .integer(
        "MaximumMessageBytesPerUser", \.socket.maximumMessageBytesPerUser,
        65_536...1_073_741_824,
        """
        How much memory the long messages of one user may take over all its connections, requests \
        that aren't answered and replies that aren't read. What a message has beyond 64 KiB counts, \
        and one of MaximumMessageBytes= always fits.
        """),
      .integer(
        "MaximumRequestsPerSecond", \.socket.maximumRequestsPerSecond, 1...1_000_000,
        "How many requests one user may make in a second, over all its connections together."),
    ])

  private static let limits = ConfigurationSection(
    name: "Limits", documentation: "What one user may have.",
    keys: [
      .integer(
        "MaximumConditionsPerUser", \.limits.maximumConditionsPerUser, 1...10_000_000,
        "How many conditions one user may have in all monitors together."),
      .integer(
        "MaximumVerticesPerUser", \.limits.maximumVerticesPerUser, 1...100_000_000,
        "How many positions the polygons and corridors of one user may have, all together."),
      .integer(
        "MaximumMonitorsPerUser", \.limits.maximumMonitorsPerUser, 1...1_000_000,
        "How many monitors one user may have."),
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
      Units that are started when an event of a monitor waits and no named consumer of it is \
      connected. 'geofenced ctl monitor set' sets the unit of one monitor, which comes before the \
      one that is named here; 'geofenced ctl monitor list' shows which hold.
      """,
    keys: [
      .pairs(
        "LaunchUnit", \.launch.units,
        wants: "[UID/]MONITOR:UNIT pairs, parted by blanks, UNIT being \(UnitName.expectation)",
        """
        Which unit is started for which monitor. Without UID the monitor is root's and the unit one \
        of the system; else both belong to that user, and the unit is started by the user's own \
        service manager while it runs. May be given more than once and adds up; an empty value \
        forgets those before it.
        """,
        parse: launchUnit, format: { key, unit in "\(key.user)/\(key.name):\(unit)" }),
      .duration(
        "LaunchIntervalSec", \.launch.interval, .seconds(1) ... .seconds(3600),
        """
        The shortest time between two starts for one monitor. It doubles, up to ten minutes, while \
        the events stay unread.
        """),
    ])

  /// The monitor and the unit of a pair; nil when the text is none.
  private static func launchUnit(_ pair: Substring) -> (MonitorKey, UnitName)? {
    // Units may have colons in their names, monitors have none.
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
