import TestSupport

/// A kind of journey with a kind of receiver, as often as there are seeds.
struct Scenario: Sendable {
  let name: String
  /// What the physics allows, where that isn't everything; nil where it is.
  var physics: String?
  let make: @Sendable (inout SplitMix64) -> (Truth, ErrorModel)

  init(
    _ name: String, physics: String? = nil,
    make: @escaping @Sendable (inout SplitMix64) -> (Truth, ErrorModel)
  ) {
    self.name = name
    self.physics = physics
    self.make = make
  }

  /// All of them, in the order of the table.
  static let all: [Scenario] =
    parked + [
      Scenario("drive through fences, open sky") { random in
        (.drive(minutes: 60, random: &random), .openSky)
      },
      Scenario("drive through fences, 5 Hz") { random in
        (.drive(minutes: 30, random: &random), .openSky.at(5))
      },
      Scenario("drive through fences, 10 Hz") { random in
        (.drive(minutes: 30, random: &random), .openSky.at(10))
      },
      Scenario("drive through fences, no course") { random in
        (.drive(minutes: 60, random: &random), .openSky.withoutCourse)
      },
      Scenario("drive through fences, over-confident") { random in
        (.drive(minutes: 60, random: &random), .overconfident)
      },
      Scenario("drive through fences, canyon") { random in
        (.drive(minutes: 60, random: &random), .canyon)
      },
      Scenario("drive through fences, poor receiver") { random in
        (.drive(minutes: 60, random: &random), .poor)
      },
      Scenario("walk along the line, in, stay, out") { random in
        (.walk(random: &random), .openSky)
      },
      Scenario("walk along the line, canyon") { random in
        (.walk(random: &random), .canyon)
      },
      Scenario("tunnel across the exit") { random in
        (.tunnel(random: &random), .openSky)
      },
      Scenario("motorway, one fix in 10 s") { random in
        (.motorway(random: &random), .openSky.at(0.1))
      },
      Scenario("boat swinging at anchor") { random in
        (.anchor(hours: 6, random: &random), .openSky)
      },
      Scenario("traffic jam on the line") { random in
        (.jam(random: &random), .openSky)
      },
      Scenario("traffic jam on the line, canyon") { random in
        (.jam(random: &random), .canyon)
      },
    ]

  /// Hours on one spot, at several distances from a line.
  private static let parked: [Scenario] = {
    let receivers: [(String, ErrorModel)] = [
      ("", .street), (", canyon", .canyon), (", over-confident", .overconfident),
      (", no accuracy", .street.claiming(.missing)), (", one fix in 10 s", .street.at(0.1)),
      (", 10 Hz", .street.at(10)), (", poor receiver", .poor),
    ]
    return receivers.map { name, errors in
      Scenario("parked 30, 12, 4 m in and out\(name)") { _ in
        (.parked(hours: errors.rate > 1 ? 2 : 8), errors)
      }
    }
  }()
}

extension ErrorModel {
  /// A good receiver where nothing is in the way.
  static var openSky: ErrorModel {
    var model = ErrorModel()
    model.drift = 2
    model.noise = 0.4
    model.doppler = 0.05
    model.gapInterval = 900
    return model
  }

  /// The same beside houses.
  static var street: ErrorModel {
    var model = ErrorModel()
    model.drift = 4
    model.noise = 0.8
    model.doppler = 0.1
    model.gapInterval = 900
    return model
  }

  /// Between high walls.
  static var canyon: ErrorModel {
    var model = ErrorModel()
    model.drift = 6
    model.noise = 1.5
    model.doppler = 0.2
    model.burstInterval = 120
    model.gapInterval = 600
    return model
  }

  /// One that says it is two and a half times better than it is.
  static var overconfident: ErrorModel {
    street.claiming(.optimistic(2.5))
  }

  /// An old one, or one under a roof.
  static var poor: ErrorModel {
    var model = ErrorModel()
    model.drift = 18
    model.noise = 3
    model.doppler = 0.3
    return model
  }

  func at(_ rate: Double) -> ErrorModel {
    var model = self
    model.rate = rate
    return model
  }

  func claiming(_ claim: Claim) -> ErrorModel {
    var model = self
    model.claim = claim
    return model
  }

  var withoutCourse: ErrorModel {
    var model = self
    model.hasCourse = false
    return model
  }
}
