import CommandLineParsing

/// What the manual page of the program says beyond its commands and their options.
enum ManualSections {
  static let all = [events, environment, files]

  private static let events = ManualPage.Section(
    "EVENTS",
    [
      ("entered", "The position is inside, and was outside when that was last known."),
      ("exited", "The position is outside, and was inside when that was last known."),
      (
        "crossed",
        "The device passed through between two positions outside. The state stays unsatisfied."
      ),
      (
        "determined",
        "The state became known, for the first time or unchanged from when it was last known: no entry or exit."
      ),
      (
        "undetermined",
        "No position that can be judged has come for UnknownAfterSec=: the state became unknown."
      ),
      (
        "unmonitored",
        "The condition was removed or has expired; or it was satisfied and was replaced, or went with 'monitor clear' or 'import --sync'."
      ),
    ])

  private static let environment = ManualPage.Section(
    "ENVIRONMENT",
    [
      (
        "GEOFENCED_SOCKET",
        """
        The control socket of 'geofenced ctl', where --socket names none, and of programs that use the \
        library GeofenceClient.
        """
      ),
      (
        "STATE_DIRECTORY, RUNTIME_DIRECTORY",
        """
        Where the daemon keeps what it knows and makes its sockets, as systemd sets them: instead of \
        StateDirectory= and RuntimeDirectory=, unless --state-directory and --runtime-directory say \
        otherwise.
        """
      ),
      ("TZ", "The time zone in which dates are shown, and read where they name none."),
      (
        "TMPDIR",
        "Where 'ctl export' and 'ctl report --recording' keep a copy while they run; /tmp without it."
      ),
      ("NO_COLOR, TERM, COLORTERM", "Whether 'geofenced ctl watch' shows colours, and how many."),
      ("LC_ALL, LC_CTYPE, LANG", "Whether it shows characters beyond ASCII, such as ±."),
    ])

  private static let files = ManualPage.Section(
    "FILES",
    [
      ("/etc/geofenced/geofenced.conf", "The configuration, see geofenced.conf(5)."),
      (
        "/etc/geofenced/geofenced.conf.d/*.conf",
        "What is read after it, in the order of the names."
      ),
      ("/var/lib/geofenced/recordings/", "What 'geofenced ctl record' has kept."),
      ("/var/lib/geofenced/geofenced.db", "Conditions, their states and the log of events."),
      ("/run/geofenced/io.geofenced", "The control socket, of the Varlink interface io.geofenced."),
      ("/run/geofenced/events", "The events socket: a JSON object a line."),
      (
        "/run/geofenced/launch", "The socket of geofenced-launch.socket, for the daemon alone."
      ),
      (
        "/usr/share/doc/geofenced/Docs/Protocol.md",
        "What both sockets and the journal carry, and what --json prints."
      ),
    ])
}
