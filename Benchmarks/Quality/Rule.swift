import GeofenceDaemon
import Positioning

/// The ways to decide from fixes whether something is inside fences, in the order of the table.
enum Rule: String, CaseIterable, Sendable {
  case pointInCircle = "point in circle"
  case threeRepeats = "three repeats"
  case widerExit = "r + max(10 %, 20 m), two fixes"
  case accuracyOverlap = "overlap of the accuracy circle"
  case geofenced

  /// The rule of geofenced with a polygon of many corners in place of each circle, and the truth about the polygon.
  case geofencedPolygons = "geofenced, fences as polygons"

  /// Not a rule: the best that is possible if the truth is known at each report that arrives.
  case limit = "limit: knows the truth"

  /// The statements of the rule about each fence on a journey.
  func statements(on journey: Journey, configuration: Configuration) -> [[Statement]] {
    let accuracy = configuration.positioning.defaultAccuracy
    return switch self {
    case .pointInCircle:
      VotingRule.pointInCircle.statements(on: journey, defaultAccuracy: accuracy)
    case .threeRepeats:
      VotingRule.threeRepeats.statements(on: journey, defaultAccuracy: accuracy)
    case .widerExit: VotingRule.widerExit.statements(on: journey, defaultAccuracy: accuracy)
    case .accuracyOverlap:
      VotingRule.accuracyOverlap.statements(on: journey, defaultAccuracy: accuracy)
    case .geofenced, .geofencedPolygons:
      EngineRun.statements(on: journey, configuration: configuration)
    case .limit: Self.truth(on: journey)
    }
  }

  private static func truth(on journey: Journey) -> [[Statement]] {
    journey.legs.map { legs in
      var statements: [Statement] = []
      var leg = 0
      for time in journey.reportTimes {
        while leg + 1 < legs.count, legs[leg + 1].began <= time { leg += 1 }
        statements.say(legs[leg].isInside, at: time)
      }
      return statements
    }
  }
}
