import Testing

@testable import CommandLineParsing

/// The whole of what is derived from the sample program.
struct SnapshotTests {
  @Test func `the program's help is this`() {
    #expect(
      HelpText.render(CommandPath(program)) == #"""
        Look after a boat.

        Usage: boat COMMAND [OPTION…]

        The boat is looked after in the harbour and at sea. Lines that are longer than
        the terminal is wide are broken.

        A backslash \ and a 'quote' stay what they are.

        Commands:
          log   Keep the log.
          help  Show the help of a command.

        Options:
          -q, --quiet    Say nothing that is not asked for.
              --version  Show the version and exit.
          -h, --help     Show this help and exit.

        Examples:
          Write one entry.
            boat log add --lat -33.86 --lon 151.2 Sighted

        Exit status:
          0  What was asked is done.
          1  What was asked could not be done; standard error says why.
          2  The command line was wrong; nothing was tried.
          3  The daemon could not be reached.
          4  What was compared is not the same.
        """# + "\n")
  }

  @Test func `a command's help is this`() throws {
    let text = try shown(["log", "add", "--help"])
    #expect(
      text == #"""
        Write an entry.

        Usage: boat log add --lat DEGREES --lon DEGREES [OPTION…] TEXT

        Arguments:
          TEXT  What has happened.

        Options:
              --lat DEGREES  The latitude.
              --lon DEGREES  The longitude.
          -r, --range MILES  How far one can see.
              --after TIME   How long to wait before writing.
              --sea STATE    The state of the sea, which everybody on board will have an
                             opinion about. STATE is one of calm, rough. Default: calm.
          -t, --tag WORD     A word to find. May be given more than once.
          -n, --dry-run      Write nothing.
          -b, --book FILE    The book to write in. Default: log.txt.
          -q, --quiet        Say nothing that is not asked for.
          -h, --help         Show this help and exit.

        Examples:
          Write an entry with a position.
            boat log add --lat 1 --lon=-2 'Fog'
        """# + "\n")
  }

  @Test(arguments: [["--help"], ["log", "--help"], ["log", "add", "-h"], ["log", "read", "-h"]])
  func `help fits in 80 columns`(words: [String]) throws {
    let text = try shown(words)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `what is hidden is told nowhere`() {
    for text in [
      HelpText.render(CommandPath(program)), ManualPage.render(program),
      BashCompletion.render(program),
    ] {
      #expect(!text.contains("sink"))
    }
  }

  @Test func `the manual page is this`() {
    #expect(
      ManualPage.render(program, seeAlso: ["anchor(1)"]) == #"""
        .\" Generated from the definitions in the program; changes belong there.
        .TH "BOAT" "1" "" "boat" "User Commands"
        .nh
        .ad l
        .SH "NAME"
        .PP
        boat \- Look after a boat
        .SH "SYNOPSIS"
        .PP
        \fBboat log add\fR \-\-lat DEGREES \-\-lon DEGREES [OPTION\[u2026]] TEXT
        .PP
        \fBboat log read\fR [OPTION\[u2026]] [FILE]
        .SH "DESCRIPTION"
        .PP
        The boat is looked after in the harbour and at sea. Lines that are longer than the terminal is wide are broken.
        .PP
        A backslash \e and a \(aqquote\(aq stay what they are.
        .SH "OPTIONS"
        .TP
        \fB\-q\fR, \fB\-\-quiet\fR
        Say nothing that is not asked for.
        .TP
        \fB\-\-version\fR
        Show the version and exit.
        .TP
        \fB\-h\fR, \fB\-\-help\fR
        Show this help and exit.
        .SH "COMMANDS"
        .SS "boat log"
        .PP
        Keep the log.
        .TP
        \fB\-b\fR, \fB\-\-book\fR FILE
        The book to write in. Default: log.txt.
        .SS "boat log add"
        .PP
        Write an entry.
        .TP
        TEXT
        What has happened.
        .TP
        \fB\-\-lat\fR DEGREES
        The latitude.
        .TP
        \fB\-\-lon\fR DEGREES
        The longitude.
        .TP
        \fB\-r\fR, \fB\-\-range\fR MILES
        How far one can see.
        .TP
        \fB\-\-after\fR TIME
        How long to wait before writing.
        .TP
        \fB\-\-sea\fR STATE
        The state of the sea, which everybody on board will have an opinion about. STATE is one of calm, rough. Default: calm.
        .TP
        \fB\-t\fR, \fB\-\-tag\fR WORD
        A word to find. May be given more than once.
        .TP
        \fB\-n\fR, \fB\-\-dry\-run\fR
        Write nothing.
        .PP
        Write an entry with a position.
        .RS 4
        .nf
        boat log add \-\-lat 1 \-\-lon=\-2 \(aqFog\(aq
        .fi
        .RE
        .SS "boat log read"
        .PP
        Read entries.
        .TP
        FILE
        The book to read.
        .SH "EXIT STATUS"
        .TP
        \fB0\fR
        What was asked is done.
        .TP
        \fB1\fR
        What was asked could not be done; standard error says why.
        .TP
        \fB2\fR
        The command line was wrong; nothing was tried.
        .TP
        \fB3\fR
        The daemon could not be reached.
        .TP
        \fB4\fR
        What was compared is not the same.
        .TP
        \fB128\fR and more
        A signal ended it: 130 is Ctrl\-C.
        .SH "EXAMPLES"
        .PP
        Write one entry.
        .RS 4
        .nf
        boat log add \-\-lat \-33.86 \-\-lon 151.2 Sighted
        .fi
        .RE
        .SH "SEE ALSO"
        .PP
        anchor(1)
        """# + "\n")
  }

  @Test func `the manual page is without fault to groff`() throws {
    let result = try run("groff", ["-ww", "-man", "-Tutf8"], input: ManualPage.render(program))
    #expect(result.errors == "")
    #expect(result.status == 0)
    #expect(result.output.contains("A backslash \\ and a 'quote' stay what they are."))
  }
}
