/// The script that completes a program's command lines in bash.
package enum BashCompletion {
  /// Renders the script; the same definition always gives the same bytes.
  package static func render(_ program: Command) -> String {
    let root = CommandPath(program)
    let function = "_" + identifier(program.name)
    let paths = root.shownTree
    return """
      # Completion of \(program.name) in bash; generated from the definitions in the program.
      \(function)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command='\(program.name)' words='' chosen='' files='' index
        COMPREPLY=()
        # Bash makes a word of its own from the "=" in --option=value.
        if [[ $current == = ]]; then
          current=''
        elif [[ $previous == = ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for ((index = 1; index < COMP_CWORD; index++)); do
          case "$command ${COMP_WORDS[index]}" in
      \(transitions(paths))    esac
        done
        case "$command $previous" in
      \(values(paths))  esac
        case "$command" in
      \(candidates(paths))  esac
        if [[ -n $files && $current != -* ]]; then
          compopt -o filenames 2>/dev/null
          mapfile -t COMPREPLY < <(compgen -f -- "$current")
        else
          mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        fi
      }
      complete -F \(function) \(program.name)

      """
  }

  /// From a command and a word to the command below it, or to what has been chosen.
  private static func transitions(_ paths: [CommandPath]) -> String {
    let names = paths.dropFirst().map { "'\($0.fullName)'" }
    let help = paths.flatMap { path -> [String] in
      path.isRoot ? ["      '\(path.fullName) help') ;;\n"] : []
    }
    // A word that an argument offers is chosen once.
    let choices = paths.flatMap { path in
      path.choices.map { "'\(path.fullName) \($0)'" }
    }
    return help.joined() + step(from: names, #"command+=" ${COMP_WORDS[index]}""#)
      + step(from: choices, "chosen=yes")
  }

  private static func step(from patterns: [String], _ action: String) -> String {
    patterns.isEmpty
      ? "" : "      \(patterns.joined(separator: " | ")))\n        \(action) ;;\n"
  }

  /// What can follow an option that takes a value.
  private static func values(_ paths: [CommandPath]) -> String {
    paths.flatMap { path in
      path.options.compactMap { option -> String? in
        guard let value = option.value else { return nil }
        let names = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
        let pattern = names.map { "'\(path.fullName) \($0)'" }.joined(separator: " | ")
        let action =
          if value.isFile {
            """
            compopt -o filenames 2>/dev/null
                  mapfile -t COMPREPLY < <(compgen -f -- "$current")
                  return
            """
          } else if value.choices.isEmpty {
            "return"
          } else {
            """
            mapfile -t COMPREPLY < <(compgen -W '\(value.choices.joined(separator: " "))' \
            -- "$current")
                  return
            """
          }
        return "    \(pattern))\n      \(action) ;;\n"
      }
    }.joined()
  }

  /// What can stand at each command: its subcommands, its options, and files.
  private static func candidates(_ paths: [CommandPath]) -> String {
    paths.map { path in
      let subcommands =
        path.command.shownSubcommands.map(\.name)
        + (path.isRoot && !path.command.subcommands.isEmpty ? ["help"] : [])
      let words = subcommands + path.options.map { "--\($0.name)" }
      let choices = path.choices.map { "\($0) " }.joined()
      let untilChosen = choices.isEmpty ? "" : "; [[ $chosen ]] || words=\"\(choices)$words\""
      let files = path.command.arguments.contains { $0.value.isFile } ? " files=yes" : ""
      return "    '\(path.fullName)') words='\(words.joined(separator: " "))'"
        + "\(files)\(untilChosen) ;;\n"
    }.joined()
  }

  private static func identifier(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}

extension CommandPath {
  /// The words to choose from that the command's arguments offer.
  fileprivate var choices: [String] { command.arguments.flatMap(\.value.choices) }
}
