import Positioning
import TestSupport

/// A kind of journey with a kind of receiver; it is run once for each seed.
struct Scenario: Sendable {
  let name: String
  /// Why no rule can be right about everything in this scenario; it is left out of some sums then.
  ///
  /// If such a rule missed less or were faster, it would have more false events instead.
  let physics: String?
  /// A note about a figure of a scenario that isn't set aside.
  let remark: String?
  /// The live configuration of the receiver; its parameters take precedence over those of the run.
  let live: LiveConfiguration?
  let make: @Sendable (inout SplitMix64) -> (Truth, ErrorModel)

  init(
    _ name: String, physics: String? = nil, remark: String? = nil,
    live: LiveConfiguration? = nil,
    make: @escaping @Sendable (inout SplitMix64) -> (Truth, ErrorModel)
  ) {
    self.name = name
    self.physics = physics
    self.remark = remark
    self.live = live
    self.make = make
  }

  /// The note for the table.
  var note: String? { physics ?? remark }

  /// All scenarios, in the order of the table.
  static let all: [Scenario] = parked + arrivals + drives + walks + others

  /// Hours in one place, at several distances from a line.
  private static let parked: [Scenario] = {
    let receivers: [(String, String?, ErrorModel)] = [
      ("", nil, .street), (", errors of 20 s", nil, .street.remembering(20)),
      (", errors of 120 s", nil, .street.remembering(120)), (", canyon", nil, .canyon),
      (", canyon, 5 Hz", nil, .canyon.at(5)), (", over-confident ×2.5", nil, .overconfident),
      (", canyon, over-confident ×3", nil, .canyon.claiming(.optimistic(3))),
      (", no accuracy", nil, .street.claiming(.missing)),
      (", one fix in 10 s", nil, .street.at(0.1)), (", 10 Hz", nil, .street.at(10)),
      (", poor receiver", nil, .poor), (", no speed", Physics.noSpeed, .street.withoutSpeed),
      (", canyon, no speed", Physics.noSpeedCanyon, .canyon.withoutSpeed),
      (", no course", nil, .street.withoutCourse),
      (", canyon, no course", Physics.noCourseCanyon, .canyon.withoutCourse),
      (", course held from before", nil, .street.holdingCourse(below: 1.5)),
    ]
    return receivers.map { name, physics, errors in
      Scenario(
        "parked 30, 12, 4 m in and out\(name)", physics: physics,
        remark: name.contains("×3") ? Physics.canyonOptimist : nil
      ) { _ in
        (.parked(hours: errors.rate > 1 ? 2 : 8), errors)
      }
    }
  }()

  /// Driving in, parking 10 to 40 m inside for an hour, driving off.
  private static let arrivals = [
    Scenario("arrive, park 10-40 m inside, leave") { random in
      (.arrivals(random: &random), .street)
    },
    Scenario("arrive, park 10-40 m inside, leave, canyon", physics: Physics.canyon) { random in
      (.arrivals(random: &random), .canyon)
    },
  ]

  /// Drives through a town with forty fences along the way.
  private static let drives: [Scenario] = {
    let receivers: [(String, String?, ErrorModel)] = [
      ("open sky", nil, .openSky), ("5 Hz", nil, .openSky.at(5)), ("10 Hz", nil, .openSky.at(10)),
      ("no course", nil, .openSky.withoutCourse),
      ("course 12° off", nil, .openSky.turningCourse(by: 12)),
      ("no speed", Physics.noSpeedDrive, .openSky.withoutSpeed),
      ("over-confident ×2.5", nil, .overconfident),
      ("no accuracy", Physics.noAccuracy, .openSky.claiming(.missing)),
      ("errors of 20 s", nil, .openSky.remembering(20)),
      ("errors of 120 s", nil, .openSky.remembering(120)), ("canyon", Physics.canyon, .canyon),
      ("canyon, 5 Hz", Physics.canyon, .canyon.at(5)),
      ("poor receiver", Physics.poor, .poor),
    ]
    return receivers.map { name, physics, errors in
      Scenario(
        "drive past and through fences, \(name)", physics: physics, remark: Physics.shortVisit
      ) { random in
        (.drive(minutes: errors.rate > 1 ? 30 : 60, random: &random), errors)
      }
    } + [
      Scenario("stop and go past and through fences", physics: Physics.stopAndGo) { random in
        (.stopAndGo(minutes: 60, random: &random), .street)
      },
      Scenario("tunnel across the exit", physics: Physics.tunnel) { random in
        (.tunnel(random: &random), .openSky)
      },
      Scenario("motorway, one fix in 10 s", physics: Physics.slow) { random in
        (.motorway(random: &random), .openSky.at(0.1))
      },
      Scenario("traffic jam on the line", physics: Physics.jam) { random in
        (.jam(random: &random), .openSky)
      },
      Scenario("traffic jam on the line, canyon", physics: Physics.jam) { random in
        (.jam(random: &random), .canyon)
      },
    ]
  }()

  /// Walking 15 m outside along the line, going in, staying, and going out again.
  private static let walks = [
    Scenario("walk along the line, in, stay, out", physics: Physics.walk) { random in
      (.walk(random: &random), .openSky)
    },
    Scenario("walk along the line, no course", physics: Physics.walk) { random in
      (.walk(random: &random), .openSky.withoutCourse)
    },
    Scenario("walk along the line, course from 1.3 m/s", physics: Physics.walk) { random in
      (.walk(random: &random), .openSky.withCourse(from: 1.3))
    },
    Scenario("walk along the line, canyon", physics: Physics.canyon) { random in
      (.walk(random: &random), .canyon)
    },
    Scenario("walk along the line, poor receiver", physics: Physics.poor) { random in
      (.walk(random: &random), .poor)
    },
  ]

  private static let others = [
    Scenario("boat swinging at anchor", physics: Physics.boat) { random in
      (.anchor(hours: 6, random: &random), .openSky)
    },
    Scenario("boat swinging at anchor, no course", physics: Physics.boatWithoutCourse) { random in
      (.anchor(hours: 6, random: &random), .openSky.withoutCourse)
    },
    Scenario(
      "boat swinging at anchor, no course, otherNavigation", physics: Physics.boatWithoutCourse,
      live: .otherNavigation
    ) { random in
      (.anchor(hours: 6, random: &random), .openSky.withoutCourse)
    },
  ]
}
