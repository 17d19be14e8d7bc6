/// The tables of Docs/Performance.md.
struct PerformanceReport {
  private let outcome: ConditionRun.Outcome
  private let results: Results
  private let rounds: Int
  private let sizes: [Int]

  /// The machine that was measured, in a few words.
  let machine: String

  init(_ outcome: ConditionRun.Outcome, of run: ConditionRun, on machine: String) {
    self.outcome = outcome
    results = Results(outcome.measurements)
    rounds = run.rounds
    sizes = run.sizes
    self.machine = machine
  }

  /// The whole report.
  var markdown: String {
    var lines = [
      "\(machine). \(rounds) \(rounds == 1 ? "round" : "rounds"); medians, and the least and the most "
        + "in brackets.", "",
    ]
    lines += goals
    for spread in Workload.Spread.allCases {
      let name = spread == .even ? "spread evenly (set A)" : "a city (set B)"
      lines += ["### A fix of the track, circles \(name)", ""]
      lines += times(spread, \.track) + [""]
      lines += ["### A device anywhere, circles \(name)", ""]
      lines += times(spread, \.devices) + [""]
    }
    lines += ["### Until an index answers, and what it occupies", ""] + buildings + [""]
    lines += ["### One change among all", ""] + changes + [""]
    lines += ["### Answers", ""] + answers + [""]
    lines += ["### Versions", ""] + versions
    return lines.joined(separator: "\n") + "\n"
  }

  private var header: [String] {
    [
      "| | " + sizes.map(Quantity.count).joined(separator: " | ") + " |",
      "|---|" + String(repeating: "---|", count: sizes.count),
    ]
  }

  private func row(_ title: String, _ cells: [String]) -> String {
    "| " + title + " | " + cells.joined(separator: " | ") + " |"
  }

  // MARK: Goals

  private var goals: [String] {
    var lines = ["### Goals", ""]
    lines += ["| goal | set " + header[0].dropFirst(2), "|---" + header[1]]
    for goal in Goal.all {
      for spread in Workload.Spread.allCases {
        let cells = sizes.map { count in
          guard let measured = goal.measured(results, spread, count) else { return "" }
          return goal.text(measured) + (goal.isMet(by: measured) ? ", met" : ", **not met**")
        }
        guard cells.contains(where: { !$0.isEmpty }) else { continue }
        lines.append("| \(goal.title) " + row(spread.rawValue, cells))
      }
    }
    return lines + [""]
  }

  /// The goals that weren't met, one line each.
  var unmet: [String] {
    Goal.all.flatMap { goal in
      Workload.Spread.allCases.flatMap { spread in
        sizes.compactMap { count in
          guard let measured = goal.measured(results, spread, count), !goal.isMet(by: measured)
          else { return nil }
          return "\(Workload.name(spread, count)): \(goal.title): \(goal.text(measured))"
        }
      }
    }
  }

  // MARK: Times

  /// The times of all contenders, each with its ratio to the time of S2.
  private func times(
    _ spread: Workload.Spread, _ figure: KeyPath<Result, Double?>
  ) -> [String] {
    header
      + Contender.all.compactMap { contender in
        let cells = sizes.map { count -> String in
          let measured = results.distribution(contender.name, spread, count) { $0[keyPath: figure] }
          guard let measured else { return outcome.missing[contender.name] == nil ? "" : "missing" }
          let ratio = results.ratio(of: contender.name, to: "s2-cell-index", spread, count) {
            $0[keyPath: figure]
          }
          return measured.text(Quantity.nanoseconds)
            + (ratio.map { ", " + Quantity.ratio($0.median) } ?? "")
        }
        return cells.allSatisfy(\.isEmpty) ? nil : row(contender.title, cells)
      }
  }

  private var buildings: [String] {
    var lines: [String] = []
    for spread in Workload.Spread.allCases {
      lines += ["Set \(spread.rawValue):", ""] + header
      for contender in Contender.all {
        let cells = sizes.map { count -> String in
          let build = results.distribution(contender.name, spread, count, \.build)
          guard let build else { return "" }
          let memory = results.distribution(contender.name, spread, count, \.memory)
          return Quantity.nanoseconds(build.median * 1e9)
            + (memory.map { ", " + Quantity.bytes($0.median) } ?? "")
        }
        if cells.contains(where: { !$0.isEmpty }) { lines.append(row(contender.title, cells)) }
      }
      lines.append("")
    }
    return lines.dropLast()
  }

  private var changes: [String] {
    var lines = header
    for spread in Workload.Spread.allCases {
      for (name, title) in [
        ("geofenced-add", "add"), ("geofenced-replace", "replace"), ("geofenced-remove", "remove"),
      ] {
        let cells = sizes.map { count -> String in
          guard let median = results.distribution(name, spread, count, \.changeMedian),
            let worst = results.distribution(name, spread, count, \.changeWorst)
          else { return "" }
          return "\(median.text(Quantity.nanoseconds)), worst \(Quantity.nanoseconds(worst.most))"
        }
        if cells.contains(where: { !$0.isEmpty }) {
          lines.append(row("\(title) (set \(spread.rawValue))", cells))
        }
      }
    }
    return lines
  }

  // MARK: Answers

  /// The wrong answers, one line each; empty if all are right.
  var mistakes: [String] {
    var lines: [String] = []
    for one in outcome.measurements {
      guard let contender = Contender.all.first(where: { $0.name == one.result.name }) else {
        continue
      }
      let expected = ExpectedAnswers.of(one.spread, one.count)
      if let mistake = contender.mistake(in: one.result, expecting: expected) {
        let line = "\(contender.title), \(Workload.name(one.spread, one.count)): \(mistake)"
        if !lines.contains(line) { lines.append(line) }
      }
    }
    return lines
  }

  private var answers: [String] {
    let present = Contender.all.filter { contender in
      outcome.measurements.contains {
        $0.result.name == contender.name
          && ($0.result.trackTotal != nil || $0.result.events != nil)
      }
    }
    func titles(_ shapes: [Contender.Shape]) -> String {
      present.filter { shapes.contains($0.shape) }.map(\.title).joined(separator: "; ")
    }
    var lines = [
      "- The exact ones, where nothing else is said below: \(titles([.circle, .polygon])).",
      "- Those of a sphere, which differ by less than 2 %: \(titles([.sphericalCircle])).",
    ]
    lines += mistakes.map { "- **Wrong**: \($0)." }
    lines += outcome.failures.map { "- **Failed**: \($0)." }
    for (reason, contenders) in Dictionary(grouping: missing, by: \.reason).sorted(by: {
      $0.key < $1.key
    }) {
      lines.append("- **Missing**: \(contenders.map(\.title).joined(separator: "; ")): \(reason).")
    }
    return lines
  }

  /// The contenders that weren't measured, and why.
  private var missing: [(title: String, reason: String)] {
    Contender.all.compactMap { contender in
      outcome.missing[contender.name].map { (contender.title, $0) }
    }
  }

  private var versions: [String] {
    var seen: Set<String> = []
    return outcome.measurements.map(\.result.version).filter { seen.insert($0).inserted }
      .map { "- \($0)" }
  }
}
