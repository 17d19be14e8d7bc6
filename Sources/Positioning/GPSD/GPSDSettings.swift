import LinuxSystem

/// Where gpsd is, and how patient to be with it.
package struct GPSDSettings: Sendable, Hashable {
  /// A name or an address; `localhost` may mean an address that gpsd doesn't listen on.
  package var host = "127.0.0.1"

  package var port = 2947

  /// Host and port as they are shown, with an IPv6 address in brackets.
  package var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// The one receiver to listen to (`/dev/ttyACM0`); nil for all that gpsd has.
  package var device: String?

  /// How long connecting may take, for each address of the host.
  static let connectTimeout = Duration.seconds(5)

  /// How long gpsd may take to say who it is.
  ///
  /// Under socket activation connecting succeeds even while gpsd can't start.
  package var bannerTimeout = Duration.seconds(5)

  /// How long nothing has to come after a report before its epoch counts as complete, where reports of one
  /// epoch don't come farther apart.
  package var epochGap = Duration.milliseconds(100)

  /// The same where they do, or nothing is known of them yet.
  ///
  /// At 9600 baud they come up to 0.43 s apart (gpsd 3.22).
  package var longestEpochGap = Duration.milliseconds(700)

  /// How long without any report is silence.
  package var silence = Duration.seconds(10)

  /// The longest time on a silent connection to a gpsd that is alive.
  static let longestPatience = Duration.seconds(600)

  /// The delay before the first new attempt.
  package var shortestDelay = Duration.milliseconds(500)

  /// The longest delay between attempts.
  package var longestDelay = Duration.seconds(30)

  /// How many bytes may come without a message among them before gpsd isn't believed any more.
  package var garbageLimit = 4 << 20

  package init() {}

  /// The longest delays before attempts, after those that failed in a row.
  var delays: Backoff { Backoff(from: shortestDelay, upTo: longestDelay) }

  /// How long to wait on connections to a gpsd that answers but has no reports.
  ///
  /// A gpsd whose receiver is unplugged for hours should be left in peace, and a connection that
  /// stands hears of the receiver's return at once: so the connections last longer and longer.
  var patience: Backoff { Backoff(from: silence, upTo: Self.longestPatience) }
}
