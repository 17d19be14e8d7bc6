import Geofencing
import Glibc
import Positioning

/// Where positions come from.
extension ConfigurationSection {
  static let receiver = ConfigurationSection(
    name: "Receiver", documentation: "Where positions come from, and which of them are used.",
    keys: [
      .word(
        liveConfiguration, \.receiver.live,
        """
        What the receiver moves with. It chooses a column of the table in geofenced.conf(5), LIVE \
        CONFIGURATIONS, whose numbers hold wherever their own key isn't set, in whatever order the \
        lines stand.
        """),
      .text(
        "Host", \.receiver.gpsd.host, wants: "a host name or an address",
        "The host on which gpsd runs. An address needs no name service at start.",
        where: { text in
          guard (1...253).contains(text.utf8.count) else { return false }
          // A port has a key of its own.
          if text.contains(":") { return isIPv6Address(text) }
          return text.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0))
          }
        }),
      .integer("Port", \.receiver.gpsd.port, 1...65_535, "The TCP port of gpsd."),
      .text(
        "Device", \.device,
        wants: "the name of a device, of at most 127 bytes, without blanks",
        """
        The one receiver to listen to, as gpsd names it, for example /dev/ttyACM0. Empty, the \
        default, means all receivers that gpsd has, which have to travel together: the first that \
        has a position is followed until it is gone, or has told none for StaleSec=, or until one \
        that is in the same place has been twice as accurate for as long. Positions of the others \
        are rejected as otherReceiver. Name one of them where several speak at the same moment on \
        slow lines.
        """,
        where: { text in text.utf8.count <= 127 && text.utf8.allSatisfy { $0 > 32 && $0 != 127 } }),
      .choice(
        "AccuracyMeaning", \.positioning.accuracyMeaning,
        """
        The percentage of positions, heights and speeds that lie within the accuracy that a \
        receiver reports for them. gpsd aims at 95, but receivers that estimate their own accuracy \
        differ. Errors that a receiver tells in NMEA's sentence GST are standard deviations in any \
        case, and count before gpsd's estimate.
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
        later one is rejected until others confirm it; where no speed explains the way, for JumpSec=. \
        The default leaves room for airliners.
        """),
      .duration(
        "SilenceSec", \.receiver.gpsd.silence, .seconds(1) ... .seconds(3_600),
        """
        How long gpsd may send no position report before it is asked whether it is still there. \
        After as long again without an answer, the connection is made anew. Where gpsd answers and \
        has no reports it is made anew too, after a time that doubles with each such connection, \
        up to 10min. While a receiver rests, looks that hear nothing of it add up to this time. For \
        a receiver whose fixes are rarer, set three times their interval; otherwise the journal gets \
        an entry for each reconnection.
        """),
      .duration(
        "StaleSec", \.positioning.staleAfter, .seconds(1) ... .seconds(3_600),
        """
        How long a position stays the current one while the reports that come can't be used. When \
        none has come for SilenceSec=, or gpsd is lost, that ends at once. It is also how long a receiver \
        may be silent before another one is followed; see Device=.
        """),
      .duration(
        "ReconnectMinSec", \.receiver.gpsd.shortestDelay, .milliseconds(100) ... .seconds(300),
        """
        How long to wait before gpsd is tried again after the connection failed. Each failure \
        doubles the time.
        """),
      .duration(
        "ReconnectMaxSec", \.receiver.gpsd.longestDelay, .milliseconds(100) ... .seconds(3_600),
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
      .number(
        "StationarySpeed", \.stationary.speed, 0.05...100, unit: "metres per second",
        """
        The speed up to which the receiver may be at rest, as the median of those it reports. Where \
        its courses agree too, as in a current, it may be half of that.
        """),
      .number(
        "StationaryRadius", \.stationary.radius, 1...1_000, unit: "metres",
        """
        How far three quarters of the positions may lie from their middle for the receiver to be \
        at rest. If it stays more than twice as far from there (or three times its accuracy, if \
        that is more) for 45s, it has moved, whatever its speed.
        """),
      .duration(
        "StationarySec", \.stationary.window, .seconds(30) ... .seconds(86_400),
        """
        How long the receiver must have been still to be at rest. At least six positions have to say so, none \
        of them more than a third of that time after the one before: for a receiver with rarer ones set \
        at least five times their interval, or it is never at rest, and never released.
        """),
      .number(
        "MaximumAcceleration", \.maximumAcceleration, 1...1_000, unit: "metres per second squared",
        """
        A reported speed that changes faster than this isn't believed before it can have been \
        reached. Where none is reported, a position that only something faster could have reached is a jump; see JumpSec=. \
        Aircraft without a speed need airborne in LiveConfiguration=.
        """),
      .word(
        "PauseMode", \.pause.mode,
        """
        What happens when the receiver has been at rest for PauseAfterSec=. With updates, who \
        listens to locations gets a last one that is stationary, and then none until the receiver \
        moves; conditions are judged as ever. With receiver, the receiver is released too: the \
        connection to gpsd is closed, so that a gpsd without -n closes the device, a minute after \
        its last client has left. Then it is looked at every PauseProbeSec=, or at once when a \
        motion sensor stirs or conditions are added. An exit meanwhile is told late: at most by \
        that time, the time that the receiver needs for a fix, and the confirmation. A \
        confirmation that takes longer than 75 s goes on in the next look. When the receiver is \
        elsewhere by then, and no faster than 3 m/s, JumpSec= is added. A look without a fix ends \
        after 1min; the following looks wait up to 2min, 4min and 1min in turn until one gets a \
        fix, and later looks wait as long as that one was allowed to. A background activity \
        session keeps the receiver in use, as updates does. With never, locations go on. What has \
        power, such as a boat, a van or a robot, wants updates: with receiver, what comes and goes \
        between two looks isn't told. Boats want LiveConfiguration=otherNavigation too.
        """),
      .duration(
        "PauseAfterSec", \.pause.after, .seconds(30) ... .seconds(86_400),
        """
        How long the receiver must have been seen to be still before the pause; never less than \
        StationarySec=. One that loses its position before stays in use.
        """),
      .duration(
        "PauseProbeSec", \.pause.probeInterval, .seconds(5) ... .seconds(86_400),
        """
        The time between two looks at a released receiver. gpsd closes a device a minute after its \
        last client, so less than that saves no power there. It should be shorter than \
        UnknownAfterSec=, by the time that the receiver needs for a fix, or states become unknown \
        during a pause. If the receiver needs more than a minute for a fix, the first looks of a \
        pause end without one, and what they take counts too.
        """),
    ])
}

/// Whether a text is an IPv6 address, with the interface behind it that one of a link needs.
private func isIPv6Address(_ text: String) -> Bool {
  let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
  var address = in6_addr()
  guard unsafe inet_pton(AF_INET6, String(parts[0]), &address) == 1 else { return false }
  return parts.dropFirst().allSatisfy { zone in
    !zone.isEmpty
      && zone.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
  }
}
