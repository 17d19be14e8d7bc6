import CommandLineParsing
import Testing

struct ParsingTests {
  @Test func `the definition of the sample program has no mistakes`() {
    #expect(program.definitionMistakes == [])
  }

  @Test func `every form of an option gives its value`() throws {
    let arguments = try parsed(
      "-q log add --lat 1.5 --lon=2 -r200 -t a -tb --tag=c=d --after 5min -n Fog")
    #expect(arguments.path == ["boat", "log", "add"])
    #expect(arguments.flag("quiet"))
    #expect(arguments.flag("dry-run"))
    #expect(arguments.double("lat") == 1.5)
    #expect(try arguments.requiredDouble("lon") == 2)
    #expect(arguments.integer("range") == 200)
    #expect(arguments.strings("tag") == ["a", "b", "c=d"])
    #expect(arguments.duration("after") == .seconds(300))
    #expect(arguments.string("text") == "Fog")
  }

  @Test func `a default stands in and is told from a given value`() throws {
    let arguments = try parsed("log add --lat 1 --lon 2 Fog")
    #expect(arguments.string("sea") == "calm")
    #expect(arguments.string("book") == "log.txt")
    #expect(!arguments.isGiven("sea"))
    #expect(!arguments.flag("dry-run"))
    #expect(arguments.integer("range") == nil)
    #expect(arguments.strings("tag") == [])
  }

  @Test(arguments: [
    "log add --lat -33.86 --lon=-151.2 Fog", "log add --lon -151.2 --lat=-33.86 Fog",
    "log add --lat -33.86 --lon -151.2 -- Fog",
  ])
  func `negative numbers are values without tricks`(line: String) throws {
    let arguments = try parsed(line)
    #expect(arguments.double("lat") == -33.86)
    #expect(arguments.double("lon") == -151.2)
    #expect(arguments.string("text") == "Fog")
  }

  @Test func `a negative number can be an argument and two dashes end the options`() throws {
    #expect(try parsed("log add --lat 1 --lon 2 -7.5").string("text") == "-7.5")
    for word in ["--quiet", "-x", "-"] {
      #expect(try parsed("log read -- \(word)").string("file") == word)
    }
  }

  @Test func `an inherited option works before and after the subcommand`() throws {
    #expect(try parsed("log --book a read").string("book") == "a")
    #expect(try parsed("log read --book a").string("book") == "a")
    #expect(try parsed("log read -qb a").string("book") == "a")
  }

  @Test(arguments: ["burn --quiet", "--quiet burn", "-q burn"])
  func `a command tells why it has no use for an option of those above it`(line: String) throws {
    let book = Command(
      "book", abstract: "Keep a book.", options: [Option("quiet", short: "q", help: "Be quiet.")],
      subcommands: [
        Command("burn", abstract: "Burn it.", declined: ["quiet": "a fire crackles"])
      ])
    #expect(
      throws: UsageError(command: "book burn", message: "no '--quiet' here: a fire crackles")
    ) { try book.parse(words(line)) }
    guard case .show(let help) = try book.parse(["burn", "--help"]) else {
      Issue.record("help was not shown")
      return
    }
    #expect(!help.contains("--quiet"))
  }

  @Test func `flags can share one dash with a value at the end`() throws {
    let arguments = try parsed("log add --lat 1 --lon 2 -qnr5 Fog")
    #expect(arguments.flag("quiet") && arguments.flag("dry-run"))
    #expect(arguments.integer("range") == 5)
  }

  @Test(arguments: [
    ("", "boat: missing command: use one of log, or --help"),
    ("log", "boat log: missing command: use one of add, read, or --help"),
    ("lgo", "boat: unknown command 'lgo': use one of log"),
    ("read", "boat: unknown command 'read' (did you mean 'boat log read'?)"),
    ("logg", "boat: unknown command 'logg' (did you mean 'log'?)"),
    ("log ad", "boat log: unknown command 'ad' (did you mean 'add'?)"),
    ("log read extra --bok x", "boat log read: unknown option '--bok' (did you mean '--book'?)"),
    ("--zebra", "boat: unknown option '--zebra' (see --help)"),
    ("log add -x", "boat log add: unknown option '-x' (see --help)"),
    ("log add --latt 1", "boat log add: unknown option '--latt' (did you mean '--lat'?)"),
    ("log add --lat abc", "boat log add: --lat wants a number of degrees, got 'abc'"),
    ("log add --lat nan", "boat log add: --lat wants a number of degrees, got 'nan'"),
    ("log add --lat -inf", "boat log add: --lat wants a number of degrees, got '-inf'"),
    ("log add --lat 0x10", "boat log add: --lat wants a number of degrees, got '0x10'"),
    ("log add --lat 1e999", "boat log add: --lat wants a number of degrees, got '1e999'"),
    ("log add --lat 12m", "boat log add: --lat wants a number of degrees, got '12m'"),
    ("log add --lat=", "boat log add: --lat wants a number of degrees, got ''"),
    ("log add -r 1.5", "boat log add: --range wants a whole number of miles, got '1.5'"),
    ("log add -r=5", "boat log add: --range wants a whole number of miles, got '=5'"),
    (
      "log add -r 99999999999999999999",
      "boat log add: --range wants a whole number of miles, got '99999999999999999999'"
    ),
    (
      "log add --after soon",
      "boat log add: --after wants a time such as 30s, 5min or 1h, got 'soon'"
    ),
    ("log add --sea wet", "boat log add: --sea wants one of calm, rough, got 'wet'"),
    ("log add --tag=", "boat log add: --tag wants a value that is not empty, got ''"),
    ("log add --lat", "boat log add: option '--lat' wants a value: --lat DEGREES"),
    ("log add --lat --lon 2", "boat log add: option '--lat' wants a value: --lat DEGREES"),
    ("log add -t -n", "boat log add: option '--tag' wants a value: --tag WORD"),
    ("log add -r", "boat log add: option '--range' wants a value: --range MILES"),
    ("log add --dry-run=yes", "boat log add: option '--dry-run' takes no value"),
    ("log add --lat 1 --lat 2", "boat log add: option '--lat' is given twice"),
    ("-q log -q read", "boat log: option '--quiet' is given twice"),
    ("log add --lat 1 Fog", "boat log add: missing option '--lon DEGREES'"),
    ("log add --lat 1 --lon 2", "boat log add: missing argument TEXT"),
    ("log add --lat 1 --lon 2 Fog Mist", "boat log add: unexpected argument 'Mist' (see --help)"),
    ("help lag", "boat: unknown command 'lag' (did you mean 'log'?)"),
    ("help log add all", "boat log add: unexpected argument 'all'"),
    ("log --version", "boat log: unknown option '--version' (see --help)"),
  ])
  func `a mistake is told in one line`(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try program.parse(words(line)) }
    #expect(error?.description == message)
  }

  @Test func `a mistake never breaks the line or floods the terminal`() throws {
    let word = "--a\nb\u{1B}[31m" + String(repeating: "x", count: 10_000)
    let error = try #require(throws: UsageError.self) { try program.parse([word]) }
    #expect(error.description.hasPrefix("boat: unknown option '--a\\nb\\u{1B}[31mxxx"))
    #expect(error.description.count < 120)
    #expect(!error.description.contains { $0.isNewline })
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["help", "help"], ["help", "-h"], ["log", "--help"],
    ["log", "add", "-h"],
    ["help", "log", "add"], ["log", "help", "add"], ["log", "help"], ["log", "help", "add", "-h"],
    ["log", "add", "--lat", "1", "--help"], ["-q", "log", "help", "add"],
    ["log", "--book", "x", "help", "add"],
  ])
  func `help is shown at every level`(words: [String]) throws {
    let text = try shown(words)
    let path = ["boat"] + words.filter { ["log", "add"].contains($0) }
    #expect(text.contains("Usage: \(path.joined(separator: " ")) "))
  }

  @Test func `the version is shown`() throws {
    let text = try shown(["--version"])
    #expect(text == "boat 1.2.3\n")
  }

  @Test func `the last argument may take all words that are left`() throws {
    let book = Command(
      "book", abstract: "Keep a book.",
      subcommands: [
        Command(
          "sign", abstract: "Sign it.",
          arguments: [
            Argument("page", takes: .integer("PAGE"), help: "The page."),
            Argument("names", takes: .text("NAME"), repeats: true, help: "Who signs."),
          ])
      ])
    guard case .run(let arguments) = try book.parse(words("sign 3 Ann -- Bo -C")) else {
      Issue.record("the line only shows a text")
      return
    }
    #expect(arguments.integer("page") == 3)
    #expect(arguments.strings("names") == ["Ann", "Bo", "-C"])
    #expect(
      throws: UsageError(command: "book sign", message: "missing argument NAME")
    ) { try book.parse(words("sign 3")) }
    #expect(
      throws: UsageError(
        command: "book sign", message: "NAME wants a value that is not empty, got ''")
    ) { try book.parse(["sign", "3", "Ann", ""]) }
    guard case .show(let help) = try book.parse(["sign", "--help"]) else {
      Issue.record("help was not shown")
      return
    }
    #expect(help.contains("Usage: book sign [OPTION…] PAGE NAME…\n"))
  }

  @Test func `a mistake in the definition is found`() {
    let wrong = Command(
      "wrong", abstract: "No sentence",
      arguments: [
        Argument("all", takes: .text("ALL"), isRequired: false, help: "All."),
        Argument("rest", takes: .text("REST"), repeats: true, help: "The rest."),
        Argument("last", takes: .text("LAST"), help: "The last."),
      ],
      options: [
        Option("help", help: "Help."), Option("size", short: "1", help: "Size."),
        Option("count", takes: .integer("N"), defaultValue: "many", help: "Count."),
      ])
    #expect(
      wrong.definitionMistakes == [
        "wrong: 'help' is defined twice",
        "wrong: '-1' would be taken for a value",
        "wrong: '--count' would not accept its own default",
        "wrong: 'rest' is required after one that is not",
        "wrong: 'last' is never reached",
        "wrong: 'No sentence' is not a sentence",
      ])
  }
}
