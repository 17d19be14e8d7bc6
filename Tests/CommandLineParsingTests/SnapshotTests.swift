import Foundation
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
    guard case .show(let text) = try program.parse(["log", "add", "--help"]) else {
      Issue.record("help was not shown")
      return
    }
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
    guard case .show(let text) = try program.parse(words) else {
      Issue.record("help was not shown")
      return
    }
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
        \fBboat log read\fR [OPTION\[u2026]] [FILE\[u2026]]
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
        Books to read.
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

  @Test func `the completion script is this`() {
    #expect(
      BashCompletion.render(program) == #"""
        # Completion of boat in bash; generated from the definitions in the program.
        _boat() {
          local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
          local command='boat' words='' chosen='' files='' index
          COMPREPLY=()
          # Bash makes a word of its own from the "=" in --option=value.
          if [[ $current == = ]]; then
            current=''
          elif [[ $previous == = ]]; then
            previous=${COMP_WORDS[COMP_CWORD-2]}
          fi
          for ((index = 1; index < COMP_CWORD; index++)); do
            case "$command ${COMP_WORDS[index]}" in
              'boat help') ;;
              'boat log' | 'boat log add' | 'boat log read')
                command+=" ${COMP_WORDS[index]}" ;;
            esac
          done
          case "$command $previous" in
            'boat log --book' | 'boat log -b')
              compopt -o filenames 2>/dev/null
              mapfile -t COMPREPLY < <(compgen -f -- "$current")
              return ;;
            'boat log add --lat')
              return ;;
            'boat log add --lon')
              return ;;
            'boat log add --range' | 'boat log add -r')
              return ;;
            'boat log add --after')
              return ;;
            'boat log add --sea')
              mapfile -t COMPREPLY < <(compgen -W 'calm rough' -- "$current")
              return ;;
            'boat log add --tag' | 'boat log add -t')
              return ;;
            'boat log add --book' | 'boat log add -b')
              compopt -o filenames 2>/dev/null
              mapfile -t COMPREPLY < <(compgen -f -- "$current")
              return ;;
            'boat log read --book' | 'boat log read -b')
              compopt -o filenames 2>/dev/null
              mapfile -t COMPREPLY < <(compgen -f -- "$current")
              return ;;
          esac
          case "$command" in
            'boat') words='log help --quiet --version --help' ;;
            'boat log') words='add read --book --quiet --help' ;;
            'boat log add') words='--lat --lon --range --after --sea --tag --dry-run --book --quiet --help' ;;
            'boat log read') words='--book --quiet --help' files=yes ;;
          esac
          if [[ -n $files && $current != -* ]]; then
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
          else
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
          fi
        }
        complete -F _boat boat
        """# + "\n")
  }

  @Test(arguments: [
    (["boat", ""], "log help --quiet --version --help"),
    (["boat", "l"], "log"),
    (["boat", "--v"], "--version"),
    (["boat", "log", ""], "add read --book --quiet --help"),
    (["boat", "-q", "log", "a"], "add"),
    (["boat", "help", "log", "r"], "read"),
    (["boat", "log", "add", "--l"], "--lat --lon"),
    (["boat", "log", "add", "--sea", ""], "calm rough"),
    (["boat", "log", "add", "--sea", "=", "r"], "rough"),
    (["boat", "log", "add", "--sea", "="], "calm rough"),
    (["boat", "log", "add", "--lat", ""], ""),
    (["boat", "log", "read", "/etc/hostn"], "/etc/hostname"),
    (["boat", "log", "read", "--book", "/etc/hostn"], "/etc/hostname"),
    (["boat", "log", "read", "--b"], "--book"),
  ])
  func `bash completes`(words: [String], candidates: String) throws {
    #expect(try completed(words, of: program) == candidates + "\n")
  }

  @Test(arguments: [
    (["anchor", ""], "drop weigh --slowly --help"), (["anchor", "w"], "weigh"),
    (["anchor", "--slowly", ""], "drop weigh --slowly --help"),
    (["anchor", "drop", ""], "--slowly --help"), (["anchor", "drop", "w"], ""),
  ])
  func `bash offers the words of an argument until one is chosen`(
    words: [String], candidates: String
  ) throws {
    let anchor = Command(
      "anchor", abstract: "See to the anchor.",
      arguments: [
        Argument("action", takes: .choice("ACTION", ["drop", "weigh"]), help: "What to do.")
      ], options: [Option("slowly", help: "Take care of the chain.")])
    #expect(try completed(words, of: anchor) == candidates + "\n")
  }

  /// What bash offers for the last word of a command line.
  private func completed(_ words: [String], of program: Command) throws -> String {
    let script =
      BashCompletion.render(program) + """
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _$1
        echo "${COMPREPLY[*]}"
        """
    let result = try run("bash", ["--norc", "-s", "--"] + words, input: script)
    #expect(result.errors == "")
    return result.output
  }
}

/// Runs a program on a text; without the program the test is cancelled.
private func run(
  _ name: String, _ arguments: [String], input: String
) throws -> (status: Int32, output: String, errors: String) {
  let path = ["/usr/bin/\(name)", "/bin/\(name)"].first(
    where: FileManager.default.isExecutableFile(atPath:))
  guard let path else { try Test.cancel("\(name) is not installed") }
  let process = Process()
  let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  process.standardInput = standardInput
  process.standardOutput = output
  process.standardError = errors
  try process.run()
  try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
  try standardInput.fileHandleForWriting.close()
  let text = try output.fileHandleForReading.readToEnd() ?? Data()
  let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (
    process.terminationStatus, String(decoding: text, as: UTF8.self),
    String(decoding: complaints, as: UTF8.self)
  )
}
