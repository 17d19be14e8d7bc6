/// The manual page of a program with all its commands, for section 1.
package enum ManualPage {
  /// A section that explains terms.
  package struct Section: Sendable {
    let title: String
    let entries: [(term: String, meaning: String)]

    package init(_ title: String, _ entries: [(term: String, meaning: String)]) {
      self.title = title
      self.entries = entries
    }
  }

  /// Renders the page; the same definition always gives the same bytes.
  ///
  /// - Parameters:
  ///   - sections: Sections that follow the commands.
  ///   - seeAlso: Names of other pages, for example `geofenced.conf(5)`.
  package static func render(
    _ program: Command, sections: [Section] = [], seeAlso: [String] = []
  ) -> String {
    let root = CommandPath(program)
    var page = Roff(name: program.name, section: 1, manual: "User Commands")
    page.section("NAME")
    page.paragraph("\(program.name) - \(program.abstract.dropLast())")
    page.section("SYNOPSIS")
    for path in root.shownTree where path.command.subcommands.isEmpty {
      let rest = path.usage.dropFirst().joined(separator: " ")
      page.paragraph([.bold(path.fullName), .plain(" " + rest)])
    }
    page.section("DESCRIPTION")
    for paragraph in program.paragraphs.isEmpty ? [program.abstract] : program.paragraphs {
      page.paragraph(paragraph)
    }
    options(of: root, in: &page)
    if !program.subcommands.isEmpty {
      page.section("COMMANDS")
      for path in root.shownTree.dropFirst() { describe(path, in: &page) }
    }
    for section in sections {
      page.section(section.title)
      for (term, meaning) in section.entries { page.definition([.bold(term)], [meaning]) }
    }
    page.section("EXIT STATUS")
    for code in ExitCode.allCases {
      page.definition([.bold("\(code.rawValue)")], [code.explanation])
    }
    page.definition([.bold("128"), .plain(" and more")], ["A signal ended it: 130 is Ctrl-C."])
    if !program.examples.isEmpty {
      page.section("EXAMPLES")
      examples(program.examples, in: &page)
    }
    if !seeAlso.isEmpty {
      page.section("SEE ALSO")
      page.paragraph(seeAlso.joined(separator: ", "))
    }
    return page.text
  }

  private static func describe(_ path: CommandPath, in page: inout Roff) {
    page.subsection(path.fullName)
    page.paragraph(path.command.abstract)
    for paragraph in path.command.paragraphs { page.paragraph(paragraph) }
    for argument in path.command.arguments {
      page.definition([.plain(argument.value.placeholder)], [argument.fullHelp])
    }
    options(of: path, in: &page)
    examples(path.command.examples, in: &page)
  }

  /// Describes the options that a command itself defines; inherited ones are described where they are defined.
  private static func options(of path: CommandPath, in page: inout Roff) {
    if path.isRoot { page.section("OPTIONS") }
    for option in path.isRoot ? path.options : path.command.options {
      let short = option.short.map { [.bold("-\($0)"), .plain(", ")] } ?? [Roff.Span]()
      let value = option.value.map { " \($0.placeholder)" } ?? ""
      page.definition(
        short + [.bold("--\(option.name)"), .plain(value)], [option.fullHelp])
    }
  }

  private static func examples(_ examples: [Example], in page: inout Roff) {
    for example in examples {
      page.paragraph(example.explanation)
      page.literal(example.command.split(separator: "\n").map(String.init))
    }
  }
}
