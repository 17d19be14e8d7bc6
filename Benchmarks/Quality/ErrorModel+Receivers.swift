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

  /// The same, so many times a second.
  func at(_ rate: Double) -> ErrorModel {
    var model = self
    model.rate = rate
    return model
  }

  /// The same with another opinion of itself.
  func claiming(_ claim: Claim) -> ErrorModel {
    var model = self
    model.claim = claim
    return model
  }

  /// The same with errors that are remembered for so many seconds.
  func remembering(_ seconds: Double) -> ErrorModel {
    var model = self
    model.driftTime = seconds...seconds
    return model
  }

  /// The same without the direction of travel below so many metres per second.
  func withCourse(from speed: Double) -> ErrorModel {
    var model = self
    model.courseFrom = speed
    return model
  }

  /// The same without the direction of travel.
  var withoutCourse: ErrorModel { withCourse(from: .infinity) }

  /// The same that goes on telling the course that it had below so many metres per second.
  func holdingCourse(below speed: Double) -> ErrorModel {
    var model = withCourse(from: speed)
    model.holdsCourse = true
    return model
  }

  /// The same whose courses are turned clockwise by so many degrees.
  func turningCourse(by degrees: Double) -> ErrorModel {
    var model = self
    model.courseBias = degrees
    return model
  }

  /// The same without any Doppler speed.
  var withoutSpeed: ErrorModel {
    var model = self
    model.hasSpeed = false
    return model
  }
}
