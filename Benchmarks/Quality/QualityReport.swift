import BenchmarkSupport
import JSONCoding

/// The results of a run, for people and for programs.
struct QualityReport {
  let rules: [Rule]
  let results: [QualityRun.Result]

  /// The sums over some scenarios, one score for each rule.
  struct Total {
    let name: String
    let scenarios: Int
    let scores: [Score]
  }

  /// The sums over all scenarios, and over those at 1 Hz; each also without the scenarios that are set aside.
  var totals: [Total] {
    [
      total("all scenarios") { _ in true },
      total("all scenarios at 1 Hz") { $0.rate == 1 },
      total("without those set aside") { $0.scenario.physics == nil },
      total("without those set aside, at 1 Hz") {
        $0.scenario.physics == nil && $0.rate == 1
      },
    ].filter { $0.scenarios > 0 }
  }

  private func total(_ name: String, where isIn: (QualityRun.Result) -> Bool) -> Total {
    var scores = rules.map { _ in Score() }
    let results = results.filter(isIn)
    for result in results {
      for rule in rules.indices { scores[rule].add(result.scores[rule]) }
    }
    return Total(name: name, scenarios: results.count, scores: scores)
  }

  // MARK: - Text

  /// The columns of the text table, with their widths.
  private static let columns = [
    ("false", 8), ("per hour", 9), ("missed", 8), ("exits", 7), ("deepest", 9), ("delay 50 %", 12),
    ("95 %", 8),
  ]

  /// The heading above all blocks.
  static let heading =
    "  " + "rule".padded(34) + columns.map { $0.0.padded($0.1, left: true) }.joined() + "\n"

  /// The block of one scenario, with a line for each rule.
  func block(_ result: QualityRun.Result) -> String {
    let score = result.scores.first ?? Score()
    var text = """
      \(Self.name(result.scenario)): \(tenths(score.hours)) h, \(result.fences) fences, \
      \(score.visits) visits

      """
    text += lines(result.scores)
    if let note = result.scenario.note {
      text += Self.wrap("note: " + note, width: 110).map { "    \($0)\n" }.joined()
    }
    return text
  }

  /// The block of the sums, with a line for each rule.
  func block(_ total: Total) -> String {
    let score = total.scores.first ?? Score()
    return """
      TOTAL, \(total.name): \(total.scenarios) scenarios, \(tenths(score.hours)) h, \
      \(score.visits) visits

      """ + lines(total.scores)
  }

  /// The name of a scenario, with a star if it is set aside.
  private static func name(_ scenario: Scenario) -> String {
    scenario.name + (scenario.physics == nil ? "" : " *")
  }

  private func lines(_ scores: [Score]) -> String {
    zip(rules, scores).map { rule, score in
      "  " + rule.rawValue.padded(34)
        + zip(Self.cells(score), Self.columns).map { $0.padded($1.1, left: true) }.joined() + "\n"
    }.joined()
  }

  private static func cells(_ score: Score) -> [String] {
    [
      "\(score.falseEvents)", hundredths(score.falseEventsPerHour), "\(score.missedVisits)",
      "\(score.missedExits)", score.deepestMiss > 0 ? "\(tenths(score.deepestMiss)) m" : "-",
      seconds(score.delay(at: 0.5)), seconds(score.delay(at: 0.95)),
    ]
  }

  private static func seconds(_ value: Double?) -> String { value.map { "\(tenths($0)) s" } ?? "-" }

  private static func hundredths(_ value: Double) -> String {
    let rounded = Int((value * 100).rounded())
    return "\(rounded / 100).\(rounded % 100 / 10)\(rounded % 10)"
  }

  private static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  // MARK: - Markdown

  /// The tables of sums and of all scenarios, and the notes.
  var markdown: String {
    var lines: [String] = []
    for total in totals {
      let score = total.scores.first ?? Score()
      lines += [
        "**\(capitalized(total.name))**: \(total.scenarios) scenarios, \(tenths(score.hours)) h, "
          + "\(score.visits) visits", "",
        "| rule | false events | per hour | missed visits | missed exits | deepest of them | delay, median "
          + "| 95 % |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
      ]
      lines += zip(rules, total.scores).map { rule, score in
        "| \(rule.rawValue) | \(Self.cells(score).joined(separator: " | ")) |"
      }
      lines.append("")
    }
    lines += [
      "Each scenario: false events / missed visits + missed exits / delay, median and 95 %, in "
        + "seconds. A number in brackets is that of a note, a star means set aside.", "",
      "| scenario | hours | visits | \(rules.map(\.rawValue).joined(separator: " | ")) |",
      "|---|--:|--:|" + rules.map { _ in "---|" }.joined(),
    ]
    var notes: [String] = []
    for result in results {
      var name = Self.name(result.scenario)
      if let note = result.scenario.note {
        if !notes.contains(note) { notes.append(note) }
        name += " (\((notes.firstIndex(of: note) ?? 0) + 1))"
      }
      let score = result.scores.first ?? Score()
      let cells = result.scores.map { score in
        let delays =
          score.delay(at: 0.5).map { "\(tenths($0)), \(tenths(score.delay(at: 0.95) ?? 0))" } ?? "-"
        return "\(score.falseEvents) / \(score.missedVisits) + \(score.missedExits) / \(delays)"
      }
      lines.append(
        "| \(name) | \(tenths(score.hours)) | \(score.visits) | "
          + "\(cells.joined(separator: " | ")) |")
    }
    if !notes.isEmpty { lines.append("") }
    for (index, note) in notes.enumerated() { lines.append("\(index + 1). \(note)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  // MARK: - JSON

  /// One rule in one scenario, as printed with `--json`: fields may be added, but are never changed.
  struct Line: Encodable {
    let scenario: String
    let rule: String
    let rate: Double
    let hours: Double
    let fences: Int
    let fenceHours: Double
    let visits: Int
    let falseEvents: Int
    let missedVisits: Int
    let missedExits: Int
    let deepestMiss: Double
    let events: Int
    let delayMedian: Double?
    let delay95: Double?
    let note: String?
  }

  /// The lines of one scenario, with their line ends.
  func json(_ result: QualityRun.Result) throws -> String {
    try zip(rules, result.scores).map { rule, score in
      try CanonicalJSON.text(
        Line(
          scenario: result.scenario.name, rule: rule.rawValue, rate: result.rate,
          hours: score.hours, fences: result.fences, fenceHours: score.fenceHours,
          visits: score.visits, falseEvents: score.falseEvents, missedVisits: score.missedVisits,
          missedExits: score.missedExits, deepestMiss: score.deepestMiss,
          events: score.delays.count,
          delayMedian: score.delay(at: 0.5), delay95: score.delay(at: 0.95),
          note: result.scenario.note)) + "\n"
    }.joined()
  }
}
