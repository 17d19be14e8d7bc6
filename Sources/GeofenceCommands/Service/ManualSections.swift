import CommandLineParsing

/// The sections of the program's manual page beside its commands and their options.
enum ManualSections {
  static let all = [events, environment, files]

  private static let events = ManualPage.Section(
    "EVENTS",
    [
      ("entered", "The position is inside, and was outside when last known."),
      ("exited", "The position is outside, and was inside when last known."),
      (
        "crossed",
        "The device passed through between two positions outside. The state stays unsatisfied."
      ),
      (
        "determined",
        """
        The state became known, for the first time or the same as when it was last known. This is \
        no entry or exit.
        """
      ),
      (
        "undetermined",
        "The state became unknown: no position that can be judged has come for UnknownAfterSec=."
      ),
      (
        "unmonitored",
        """
        The condition was removed or has expired; or it was satisfied and was replaced, or removed \
        by 'monitor clear' or 'import --sync'.
        """
      ),
    ])

  private static let environment = ManualPage.Section(
    "ENVIRONMENT",
    [
      (
        "GEOFENCED_SOCKET",
        """
        The control socket for 'geofenced ctl' without --socket, and for programs that use the \
        library GeofenceClient.
        """
      ),
      (
        "STATE_DIRECTORY, RUNTIME_DIRECTORY",
        """
        Where the daemon keeps what it knows and makes its sockets. systemd sets them. They \
        override StateDirectory= and RuntimeDirectory=; --state-directory and --runtime-directory \
        override them.
        """
      ),
      ("TZ", "The time zone in which dates are shown, and read if they name none."),
      (
        "TMPDIR",
        """
        Where 'ctl export', 'ctl forward' and 'ctl report --recording' keep a copy of what they \
        read; /tmp without it.
        """
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
        "Files that are read after it, in the order of their names."
      ),
      ("/var/lib/geofenced/recordings/", "The recordings of 'geofenced ctl record'."),
      ("/var/lib/geofenced/geofenced.db", "Conditions, their states and the log of events."),
      ("/run/geofenced/io.geofenced", "The control socket, of the Varlink interface io.geofenced."),
      ("/run/geofenced/events", "The events socket: one JSON object per line."),
      (
        "/run/geofenced/launch", "The socket of geofenced-launch.socket, for the daemon only."
      ),
      (
        "/usr/share/doc/geofenced/Docs/Guide.md", "What people do with geofenced, task by task."
      ),
      (
        "/usr/share/doc/geofenced/Docs/Protocol.md",
        "What both sockets and the journal carry, and what --json prints."
      ),
      ("/usr/share/doc/geofenced/Docs/Quality.md", "How geofenced decides, and how well."),
    ])
}
