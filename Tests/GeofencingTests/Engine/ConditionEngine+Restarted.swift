import Testing

@testable import Geofencing

extension ConditionEngine {
  /// Which conditions are watched, in no order.
  var keys: [ConditionKey] { names.slots(where: { _ in true }).map { names.key(of: $0) } }

  /// How many conditions are too small for the accuracy; a user's or all.
  func accuracyLimited(ofUser user: UInt32?) -> Int {
    var (engine, count) = (self, LimitedCount())
    engine.countLimited(&count, ofUser: user)
    return count.limited
  }

  /// The conditions whose known state may have ended since a fix, with the time of that fix.
  var doubts: [ConditionKey: Timestamp] {
    progressByKey.compactMapValues { $0.gapBegan ?? $0.candidate?.before }
  }

  /// What is happening to each condition.
  var progressByKey: [ConditionKey: ConditionProgress] {
    Dictionary(uniqueKeysWithValues: progress.map { (names.key(of: $0.key), $0.value) })
  }

  /// Another one, which goes on with what is stored of this one, in the form in which it is.
  func restarted() throws -> ConditionEngine {
    var next = ConditionEngine(parameters: parameters)
    next.isExhaustive = isExhaustive
    next.restore(
      lastFix: lastFix.flatMap { Location(words: $0.words) },
      motion: learnedMotion.flatMap { LearnedMotion(words: $0.words) },
      considered: ConsideredFixes(words: considered.words(isWhole: true)))
    for key in keys.sorted() {
      let (condition, status) = try #require(self[key])
      let words = status.progress?.words
      let progress = words.flatMap { ConditionProgress(words: $0) }
      try #require((progress == nil) == (words == nil))
      if case .circle(let circle) = condition.shape, condition == Condition(circle: circle),
        status.visit == nil, progress == nil
      {
        next.restore(circle, as: key, status: status.plain)
      } else {
        next.restore(
          condition, as: key,
          status: ConditionStatus(
            status.plain, visit: status.visit.map { Visit(id: $0.id, began: $0.began) },
            progress: progress))
      }
    }
    return next
  }
}
