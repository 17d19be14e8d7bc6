import Geofencing
import Glibc
import Positioning
import TestSupport

/// Compares rules on tracks whose truth is known.
let words = Array(CommandLine.arguments.dropFirst())
let isTuning = words.contains("--tuning")
let only = words.first { !$0.hasPrefix("--") && !$0.contains("=") }
let isVerbose = words.contains("--verbose")
// The seeds to tune on and those to report are different ones.
let count = words.first { $0.hasPrefix("seeds=") }.flatMap { UInt64($0.dropFirst(6)) } ?? 4
let seeds: [UInt64] = isTuning ? Array(1...count) : [101, 102, 103, 104, 105, 106]
let rules: [any Rule.Type] =
  words.contains("--own")
  ? [Geofenced.self]
  : [
    PointInCircle.self, ThreeRepeats.self, WiderExit.self, AccuracyOverlap.self, Geofenced.self,
  ]

func judge(
  _ rule: any Rule.Type, _ fixes: [Location], fences: [Condition], truth: Truth,
  visits: [[Truth.Visit]]
) -> Score {
  var claims = Array(repeating: [Score.Claim](), count: fences.count)
  var rule = rule.init(fences: fences)
  for fix in fixes {
    let time = (fix.timestamp - ErrorModel.start).inSeconds
    rule.take(fix) { fence, isInside in
      if isInside {
        claims[fence].append(Score.Claim(began: time))
      } else if let last = claims[fence].indices.last, claims[fence][last].ended == nil {
        claims[fence][last].ended = time
      }
    }
  }
  var score = Score()
  for fence in fences.indices {
    if isVerbose, rule is Geofenced {
      var one = Score()
      one.add(claims[fence], against: visits[fence], seconds: truth.seconds)
      if one.falseEvents + one.missedVisits > 0 {
        print(
          "fence \(fence) r \(truth.fences[fence].radius) false \(one.falseEvents) missed \(one.missedVisits)"
        )
        print(
          "  claims", claims[fence].map { "\($0.began)-\($0.ended ?? -1)" }.joined(separator: " "))
        print(
          "  visits",
          visits[fence].map { "\($0.began)-\($0.ended) \($0.depth)" }.joined(separator: " "))
      }
    }
    score.add(claims[fence], against: visits[fence], seconds: truth.seconds)
  }
  return score
}

func text(_ value: Double?) -> String {
  value.map { "\(($0 * 10).rounded() / 10)" } ?? "-"
}

var totals = Array(repeating: Score(), count: rules.count)
for scenario in Scenario.all where only == nil || scenario.name.contains(only ?? "") {
  var scores = Array(repeating: Score(), count: rules.count)
  for seed in seeds {
    var random = SplitMix64(seed: seed)
    let (truth, errors) = scenario.make(&random)
    let visits = truth.fences.map { truth.visits(of: $0) }
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    var fixes: [Location] = []
    for report in errors.observe(truth, random: &random) {
      if let fix = pipeline.process(.tpv(report))?.location { fixes.append(fix) }
    }
    let fences = try truth.fences.map { fence in
      try Condition(
        shape: .circle(
          CircularGeographicCondition(
            center: Truth.coordinate(east: fence.east, north: fence.north), radius: fence.radius)))
    }
    for (index, rule) in rules.enumerated() {
      scores[index].add(judge(rule, fixes, fences: fences, truth: truth, visits: visits))
    }
  }
  print(scenario.name, "hours", text(scores[0].hours), "visits", scores[0].visits)
  for (index, rule) in rules.enumerated() {
    let score = scores[index]
    print(
      "   \(rule.name): false \(score.falseEvents) missed \(score.missedVisits) delay "
        + "\(text(score.delay(at: 0.5))) \(text(score.delay(at: 0.95))) \(text(score.delay(at: 0.999)))"
    )
    totals[index].add(score)
  }
}
print("ALL hours", text(totals[0].hours))
for (index, rule) in rules.enumerated() {
  let score = totals[index]
  print(
    "   \(rule.name): false \(score.falseEvents) missed \(score.missedVisits) delay "
      + "\(text(score.delay(at: 0.5))) \(text(score.delay(at: 0.95)))")
}
