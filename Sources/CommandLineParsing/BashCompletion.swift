/// The script that completes a program's command lines in bash.
package enum BashCompletion {
  /// Renders the script; the same definition always gives the same bytes.
  ///
  /// - Parameter lister: The words of the command that prints the known names, one per line; if empty, names aren't
  ///   completed. The script calls it with the kind of names, the part of the name that was typed, and those of its
  ///   own options that are on the command line.
  package static func render(_ program: Command, namesBy lister: [String] = []) -> String {
    let root = CommandPath(program)
    let names = NameCompletion(by: lister, of: root)
    let function = "_\(program.name)"
    let paths = root.shownTree
    return """
      # Completion of \(program.name) in bash; generated from the definitions in the program.
      \(function)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command='\(program.name)' words='' files='' index place=0\(names.variables)
        COMPREPLY=()
        # Bash makes a word of its own from the "=" in --option=value.
        if [[ $current == = ]]; then
          current=''
        elif [[ $previous == = ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for ((index = 1; index < COMP_CWORD; index++)); do
      \(names.scope)    case "$command ${COMP_WORDS[index]}" in
      \(transitions(paths))      *' '-[!0-9.]*) ;;
            *) ((place++)) ;;
          esac
        done
        case "$command $previous" in
      \(values(paths, names))  esac
        \(names.unlessChosen)case "$command" in
      \(candidates(paths, names))  esac
      \(names.completion)  if [[ -n $files && $current != -* ]]; then
          compopt -o filenames 2>/dev/null
          mapfile -t COMPREPLY < <(compgen -f -- "$current")
        else
          mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        fi
      }
      complete -F \(function) \(program.name)

      """
  }

  /// The script's steps over words: from a command to its subcommand, and over the value of an option.
  ///
  /// A word that is neither of these, nor an option without a value, counts as an argument.
  private static func transitions(_ paths: [CommandPath]) -> String {
    let names = paths.dropFirst().map { "'\($0.fullName)'" }
    let help = "      '\(paths[0].fullName) help') ;;\n"
    let valued = paths.flatMap { path in
      path.options.filter { $0.value != nil }.flatMap(\.spellings).map {
        "'\(path.fullName) \($0)'"
      }
    }
    return help + step(from: names, #"command+=" ${COMP_WORDS[index]}" place=0"#)
      + step(from: valued, "[[ ${COMP_WORDS[index+1]} == = ]] && ((index++))\n        ((index++))")
  }

  private static func step(from patterns: [String], _ action: String) -> String {
    patterns.isEmpty
      ? "" : "      \(patterns.joined(separator: " | ")))\n        \(action) ;;\n"
  }

  /// What the script offers after an option that takes a value.
  private static func values(_ paths: [CommandPath], _ names: NameCompletion) -> String {
    paths.flatMap { path in
      path.options.compactMap { option -> String? in
        guard let value = option.value else { return nil }
        let pattern = option.spellings.map { "'\(path.fullName) \($0)'" }.joined(separator: " | ")
        if let choice = names.choice(of: value) { return "    \(pattern))\n      \(choice) ;;\n" }
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

  /// What the script offers for each command: its subcommands, its options, and values for its arguments by position.
  private static func candidates(_ paths: [CommandPath], _ names: NameCompletion) -> String {
    paths.map { path in
      let subcommands =
        path.command.shownSubcommands.map(\.name)
        + (path.isRoot && !path.command.subcommands.isEmpty ? ["help"] : [])
      let words = subcommands + path.options.map { "--\($0.name)" }
      let arguments = path.command.arguments.enumerated().compactMap { place, argument -> String? in
        let choices = argument.value.choices.joined(separator: " ")
        let offer =
          names.choice(of: argument.value)
          ?? (argument.value.isFile
            ? "files=yes" : choices.isEmpty ? nil : "words=\"\(choices) $words\"")
        return offer.map { "; ((place \(argument.repeats ? ">=" : "==") \(place))) && \($0)" }
      }
      return "    '\(path.fullName)') words='\(words.joined(separator: " "))'"
        + "\(arguments.joined()) ;;\n"
    }.joined()
  }
}

extension Option {
  /// How it is written: `--name`, and also `-n` if it has a letter.
  fileprivate var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}

/// The parts of the script that ask the program for names; empty if there is no lister.
private struct NameCompletion {
  private let command: String
  private let options: [Option]

  init(by lister: [String], of root: CommandPath) {
    command = lister.joined(separator: " ")
    var path = root
    for name in lister {
      let found = path.command.subcommands.first { $0.name == name }
      precondition(found != nil, "\(path.fullName) has no '\(name)'")
      path = found.map(path.appending) ?? path
    }
    options = path.options.filter { $0.value != nil }
  }

  private var isEmpty: Bool { command.isEmpty }

  var variables: String { isEmpty ? "" : " names='' step scope=()" }

  /// Collects the options that tell whose names are meant.
  var scope: String {
    guard !isEmpty else { return "" }
    let pattern = options.flatMap(\.spellings).joined(separator: " | ")
    // The forms with the value in the same word.
    let attached = options.flatMap { option in
      ["--\(option.name)=*"] + (option.short.map { ["-\($0)?*"] } ?? [])
    }.joined(separator: " | ")
    return """
          case "${COMP_WORDS[index]}" in
            \(pattern))
              step=1
              [[ ${COMP_WORDS[index+1]} == = ]] && step=2
              ((index + step < COMP_CWORD)) &&
                scope+=("${COMP_WORDS[index]}" "${COMP_WORDS[index+step]}") ;;
            \(attached))
              scope+=("${COMP_WORDS[index]}") ;;
          esac

      """
  }

  /// Skips all other candidates if an option expects a name.
  var unlessChosen: String { isEmpty ? "" : "[[ $names ]] || " }

  /// The script's command for a value that is a name; nil for other values.
  func choice(of value: Value) -> String? { isEmpty ? nil : value.kindOfName.map { "names=\($0)" } }

  var completion: String {
    guard !isEmpty else { return "" }
    return """
        # A name may begin as a negative number does.
        if [[ -n $names && ( $current != -* || $current == -[0-9.]* ) ]]; then
          mapfile -t COMPREPLY < <(
            "${COMP_WORDS[0]/#\\~\\//"$HOME"/}" \(command) "${scope[@]}" \
              "$names" "$current" 2>/dev/null)
          return
        fi

      """
  }
}
