import GeofenceDaemon

/// The scenarios, rules and seeds of a comparison, and the configuration.
struct QualityRun: Sendable {
  var scenarios = Scenario.all
  var rules = Rule.allCases
  /// The seeds for reports; see ``tuningSeeds(_:)``.
  var seeds = reportingSeeds(6)
  var configuration = Configuration()

  /// The seeds with which the parameters of the rule are tuned.
  static func tuningSeeds(_ count: Int) -> [UInt64] { (0..<count).map { 1 + UInt64($0) } }

  /// The seeds with which the rule is judged; none of them are used for tuning.
  static func reportingSeeds(_ count: Int) -> [UInt64] { (0..<count).map { 201 + UInt64($0) } }

  /// The results of one scenario.
  struct Result: Sendable {
    let scenario: Scenario
    let rate: Double
    let fences: Int
    /// One score for each rule, in the order of the run's rules.
    var scores: [Score]
    /// The fences about which a rule was wrong, by rule and then by seed.
    var wrong: [[(seed: UInt64, fence: WrongFence)]]
  }

  /// Runs a scenario with all seeds, as many at a time as there are processors.
  func play(_ scenario: Scenario) async throws -> Result {
    let parts = try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      for (index, seed) in seeds.enumerated() {
        group.addTask { (index, try play(scenario, seed: seed)) }
      }
      var parts: [(Int, Result)] = []
      for try await part in group { parts.append(part) }
      return parts.sorted { $0.0 < $1.0 }.map(\.1)
    }
    var result = Result(
      scenario: scenario, rate: parts.first?.rate ?? 1, fences: parts.first?.fences ?? 0,
      scores: rules.map { _ in Score() }, wrong: rules.map { _ in [] })
    for part in parts {
      for rule in rules.indices {
        result.scores[rule].add(part.scores[rule])
        result.wrong[rule] += part.wrong[rule]
      }
    }
    return result
  }

  private func play(_ scenario: Scenario, seed: UInt64) throws -> Result {
    var configuration = configuration
    if let live = scenario.live { configuration.apply(live) }
    let journey = try Journey(scenario, seed: seed, configuration: configuration)
    let scores = try rules.map { try journey.score($0, configuration: configuration) }
    return Result(
      scenario: scenario, rate: journey.rate, fences: journey.fences.count,
      scores: scores.map(\.total), wrong: scores.map { $0.wrong.map { (seed, $0) } })
  }
}
