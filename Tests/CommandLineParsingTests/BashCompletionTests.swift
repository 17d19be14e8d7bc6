import Testing

@testable import CommandLineParsing

/// What bash is told of the sample program, and what it makes of it.
struct BashCompletionTests {
  @Test func `the completion script is this`() {
    #expect(
      BashCompletion.render(program) == #"""
        # Completion of boat in bash; generated from the definitions in the program.
        _boat() {
          local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
          local command='boat' words='' files='' index place=0
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
                command+=" ${COMP_WORDS[index]}" place=0 ;;
              'boat log --book' | 'boat log -b' | 'boat log add --lat' | 'boat log add --lon' | 'boat log add --range' | 'boat log add -r' | 'boat log add --after' | 'boat log add --sea' | 'boat log add --tag' | 'boat log add -t' | 'boat log add --book' | 'boat log add -b' | 'boat log read --book' | 'boat log read -b')
                [[ ${COMP_WORDS[index+1]} == = ]] && ((index++))
                ((index++)) ;;
              *' '-[!0-9.]*) ;;
              *) ((place++)) ;;
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
            'boat log read') words='--book --quiet --help'; ((place == 0)) && files=yes ;;
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
    // The value of an option is no command, and no argument.
    (["boat", "log", "--book", "read", "a"], "add"),
    (["boat", "log", "--book", "=", "read", "a"], "add"),
    (["boat", "log", "read", "--book", "x", "/etc/hostn"], "/etc/hostname"),
    (["boat", "log", "read", "x", "/etc/hostn"], ""),
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

  /// A fleet, of whose boats and crews the names are asked for.
  private static let fleet = Command(
    "fleet", abstract: "Look after boats.",
    subcommands: [
      Command(
        "sail", abstract: "Sail.",
        arguments: [Argument("boat", takes: boat, repeats: true, help: "The boats.")],
        options: [
          Option(
            "harbour", short: "p", takes: .name("HARBOUR", anything, of: "harbour"), help: "Where."),
          Option("wind", takes: .text("WIND"), help: "What blows."),
        ]),
      Command(
        "crew", abstract: "See to the crew.",
        arguments: [
          Argument("action", takes: .choice("ACTION", ["list", "hire"]), help: "What to do."),
          Argument("boat", takes: boat, isRequired: false, help: "The boat."),
        ]),
      Command(
        "names", abstract: "Print names.",
        options: [
          Option("harbour", short: "p", takes: .text("HARBOUR"), help: "Where."),
          Option("loud", help: "Print them loud."),
        ], isHidden: true),
    ])
  private static let anything = TextRule("a name") { _ in true }
  private static let boat = Value.name("BOAT", anything, of: "boat")

  @Test(arguments: [
    (["fleet", "sail", ""], "<names><boat><>"), (["fleet", "sail", "Ar"], "<names><boat><Ar>"),
    (["fleet", "sail", "Argo", "B"], "<names><boat><B>"),
    (["fleet", "sail", "--"], "--harbour --wind --help"),
    (["fleet", "sail", "--wind", ""], ""),
    (["fleet", "sail", "-p", "P"], "<names><harbour><P>"),
    (["fleet", "sail", "--harbour", "="], "<names><harbour><>"),
    (["fleet", "sail", "--harbour", "=", "P"], "<names><harbour><P>"),
    (["fleet", "sail", "-p", "Pula", "B"], "<names><-p><Pula><boat><B>"),
    (
      ["fleet", "sail", "--harbour", "=", "Pula", "--wind", "x", "B"],
      "<names><--harbour><Pula><boat><B>"
    ),
    (["fleet", "sail", "-pPula", "B"], "<names><-pPula><boat><B>"),
    (["fleet", "sail", "--harbour=Pula", "B"], "<names><--harbour=Pula><boat><B>"),
    (["fleet", "crew", ""], "list hire --help"),
    (["fleet", "crew", "hire", "A"], "<names><boat><A>"),
    (["fleet", "crew", "hire", "A", "B"], ""),
    (["fleet", "sail", "-3"], "<names><boat><-3>"),
    (["fleet", "crew", "-3", "B"], "<names><boat><B>"),
    (["fleet", ""], "sail crew help --help"),
  ])
  func `bash asks the program for names`(words: [String], candidates: String) throws {
    // What the program is given.
    let lister = """
      fleet() { printf '<%s>' "$@"; echo 'not shown' >&2; }

      """
    #expect(
      try completed(words, of: Self.fleet, namesBy: ["names"], after: lister) == candidates + "\n")
  }

  @Test func `nobody is asked for names where nothing lists them`() throws {
    #expect(try completed(["fleet", "sail", ""], of: Self.fleet) == "--harbour --wind --help\n")
  }

  /// What bash offers for the last word of a command line.
  private func completed(
    _ words: [String], of program: Command, namesBy lister: [String] = [],
    after prologue: String = ""
  ) throws -> String {
    let script =
      prologue + BashCompletion.render(program, namesBy: lister) + """
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
