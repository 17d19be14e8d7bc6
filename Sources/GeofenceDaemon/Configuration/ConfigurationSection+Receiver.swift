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
        What the receiver moves with. This chooses a column of the table in geofenced.conf(5), \
        LIVE CONFIGURATIONS. Its numbers hold for all keys that aren't set themselves, whatever \
        the order of the lines.
        """),
      .text(
        "Host", \.receiver.gpsd.host, wants: "a host name or an address",
        "The host on which gpsd runs. An address needs no name service at start.",
        where: { text in
          guard (1...253).contains(text.utf8.count) else { return false }
          // With a colon it must be an IPv6 address: the port has a key of its own.
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
        default, means all receivers that gpsd has, which have to travel together. The first with \
        a position is followed until it is gone, until it has given none for StaleSec=, or until \
        another in the same place has been twice as accurate for as long. Positions of the others \
        are rejected as otherReceiver. Name one receiver if several speak at the same moment on \
        slow lines.
        """,
        where: { text in text.utf8.count <= 127 && text.utf8.allSatisfy { $0 > 32 && $0 != 127 } }),
      .choice(
        "AccuracyMeaning", \.positioning.accuracyMeaning,
        """
        The percentage of positions, heights and speeds that lie within the accuracy that a \
        receiver reports for them. gpsd aims at 95, but receivers that estimate their own accuracy \
        differ. Errors that a receiver reports in NMEA's sentence GST are standard deviations in \
        any case, and take precedence over gpsd's estimate.
        """),
      .choices(
        "DeviceAccuracyMeaning", \.positioning.deviceAccuracyMeanings,
        """
        The same for single receivers, as pairs of gpsd's name for the receiver and the \
        percentage, for example /dev/ttyACM0:68. The key may be given more than once, and the \
        pairs add up; an empty value forgets those before it.
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
        The accuracy of altitudes that come without one: the most that they are off in 68 of 100 \
        cases. Only conditions with a band of altitudes use it.
        """),
      .number(
        "MaximumAccuracy", \.positioning.maximumAccuracy, 1...100_000, unit: "metres",
        "A position is rejected if its accuracy, as that radius, is worse than this."),
      .number(
        "MaximumSpeed", \.positioning.maximumSpeed, 1...100_000, unit: "metres per second",
        """
        If the way between two positions takes a higher speed than this, it counts as a jump, and \
        the later one is rejected until others confirm it; where no speed explains the way, for \
        JumpSec=. The default leaves room for airliners.
        """),
      .duration(
        "SilenceSec", \.receiver.gpsd.silence, .seconds(1) ... .seconds(3_600),
        """
        How long gpsd may send no position report before it is asked whether it is still there. \
        After as long again without an answer, the connection is made anew. If gpsd answers but \
        has no reports it is made anew too, after a time that doubles with each such connection, \
        up to 10min. While a receiver rests, looks that hear nothing from it add up to this time. \
        For a receiver with rarer fixes, set three times their interval; otherwise the journal \
        gets an entry for each reconnection.
        """),
      .duration(
        "StaleSec", \.positioning.staleAfter, .seconds(1) ... .seconds(3_600),
        """
        How long a position stays the current one while the reports that come can't be used. When \
        no report has come for SilenceSec=, or gpsd is lost, that ends at once. This is also how \
        long a receiver may be silent before another one is followed; see Device=.
        """),
      .duration(
        "ReconnectMinSec", \.receiver.gpsd.shortestDelay, .milliseconds(100) ... .seconds(300),
        """
        How long to wait before another attempt when the connection to gpsd failed. Each failure \
        doubles the time.
        """),
      .duration(
        "ReconnectMaxSec", \.receiver.gpsd.longestDelay, .milliseconds(100) ... .seconds(3_600),
        "The longest that this waiting time can get. It may not be shorter than ReconnectMinSec=."),
      .duration(
        "SessionGraceSec", \.receiver.sessionGrace, .zero ... .seconds(86_400),
        """
        How long a background activity session goes on after its last client is gone. Until then \
        the receiver stays in use, and a client that comes back rejoins the session.
        """),
      .boolean(
        "MotionSensor", \.receiver.usesMotionSensor,
        """
        Whether to use a motion sensor that Linux has a driver for (industrial I/O) to notice that \
        the device is moved while the receiver is released. Without one, or without the right to \
        use it, the receiver is only asked now and then; "geofenced ctl status" says which is the \
        case. geofenced.service explains what the service may not do by itself, and how to allow \
        it.
        """),
      .number(
        "StationarySpeed", \.stationary.speed, 0.05...100, unit: "metres per second",
        """
        The speed up to which the receiver may be at rest, as the median of the speeds that it \
        reports. If its courses agree too, as in a current, it may be half of that.
        """),
      .number(
        "StationaryRadius", \.stationary.radius, 1...1_000, unit: "metres",
        """
        How far three quarters of the positions may lie from their middle while the receiver is at \
        rest. If it stays more than twice as far from there (or three times its accuracy, if that \
        is more) for 45s, it has moved, whatever its speed.
        """),
      .duration(
        "StationarySec", \.stationary.window, .seconds(30) ... .seconds(86_400),
        """
        How long the receiver must have been still to be at rest. At least six positions have to \
        say so, each at most a third of that time after the one before. For a receiver with rarer \
        positions set at least five times their interval, or it is never at rest, and never \
        released.
        """),
      .number(
        "MaximumAcceleration", \.maximumAcceleration, 1...1_000, unit: "metres per second squared",
        """
        A reported speed that changes faster than this isn't believed before it can have been \
        reached. If none is reported, a position that only a greater acceleration could have \
        reached is a jump; see JumpSec=. Aircraft without a speed need airborne in \
        LiveConfiguration=.
        """),
      .word(
        "PauseMode", \.pause.mode,
        """
        What happens when the receiver has been at rest for PauseAfterSec=. With updates, \
        listeners get a last location that is stationary, and then none until the receiver moves; \
        conditions are judged as ever. With receiver, the receiver is released too: the connection \
        to gpsd is closed, so that a gpsd without -n closes the device, a minute after its last \
        client has left. Then there is a look at the receiver every PauseProbeSec=, or at once \
        when a motion sensor stirs or conditions are added. An exit meanwhile is reported late: by \
        at most that time, the time that the receiver needs for a fix, and the confirmation; \
        Guide.md says under "Parked" when it takes longer. A background activity \
        session keeps the receiver in use, as updates does. With never, locations go on. On a \
        boat, a van or a robot with power, set updates: with receiver, what comes and goes between \
        two looks is missed. On a boat, set LiveConfiguration=otherNavigation too.
        """),
      .duration(
        "PauseAfterSec", \.pause.after, .seconds(30) ... .seconds(86_400),
        """
        How long the receiver must have been seen to be still before the pause; never less than \
        StationarySec=. A receiver that loses its position before that stays in use.
        """),
      .duration(
        "PauseProbeSec", \.pause.probeInterval, .seconds(5) ... .seconds(86_400),
        """
        The time between two looks at a released receiver. gpsd closes a device a minute after its \
        last client, so less than that saves no power. It should be shorter than UnknownAfterSec= \
        by the time that the receiver needs for a fix; otherwise states become unknown during a \
        pause. If the receiver needs more than a minute for a fix, the first looks of a pause end \
        without one, and the time that they take counts too.
        """),
    ])
}

/// Whether a text is an IPv6 address; a link-local one may be followed by its interface, as in `fe80::1%eth0`.
private func isIPv6Address(_ text: String) -> Bool {
  let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
  var address = in6_addr()
  guard unsafe inet_pton(AF_INET6, String(parts[0]), &address) == 1 else { return false }
  return parts.dropFirst().allSatisfy { zone in
    !zone.isEmpty
      && zone.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
  }
}
