extension ErrorModel {
  /// A good receiver with a clear view of the sky.
  static var openSky: ErrorModel {
    var model = ErrorModel()
    model.drift = 2
    model.noise = 0.4
    model.doppler = 0.05
    model.gapInterval = 900
    return model
  }

  /// A good receiver beside houses.
  static var street: ErrorModel {
    var model = ErrorModel()
    model.drift = 4
    model.noise = 0.8
    model.doppler = 0.1
    model.gapInterval = 900
    return model
  }

  /// A receiver between high walls.
  static var canyon: ErrorModel {
    var model = ErrorModel()
    model.drift = 6
    model.noise = 1.5
    model.doppler = 0.2
    model.burstInterval = 120
    model.gapInterval = 600
    return model
  }

  /// A receiver that claims to be two and a half times better than it is.
  static var overconfident: ErrorModel {
    street.claiming(.optimistic(2.5))
  }

  /// An old receiver, or one under a roof.
  static var poor: ErrorModel {
    var model = ErrorModel()
    model.drift = 18
    model.noise = 3
    model.doppler = 0.3
    return model
  }

  /// The same model with so many fixes per second.
  func at(_ rate: Double) -> ErrorModel {
    var model = self
    model.rate = rate
    return model
  }

  /// The same model with another claim about its accuracy.
  func claiming(_ claim: Claim) -> ErrorModel {
    var model = self
    model.claim = claim
    return model
  }

  /// The same model with errors whose correlation time is so many seconds.
  func remembering(_ seconds: Double) -> ErrorModel {
    var model = self
    model.driftTime = seconds...seconds
    return model
  }

  /// The same model without a course below a speed in metres per second.
  func withCourse(from speed: Double) -> ErrorModel {
    var model = self
    model.courseFrom = speed
    return model
  }

  /// The same model without a course.
  var withoutCourse: ErrorModel { withCourse(from: .infinity) }

  /// The same model, which below a speed in metres per second keeps reporting the last course.
  func holdingCourse(below speed: Double) -> ErrorModel {
    var model = withCourse(from: speed)
    model.holdsCourse = true
    return model
  }

  /// The same model with courses turned clockwise by so many degrees.
  func turningCourse(by degrees: Double) -> ErrorModel {
    var model = self
    model.courseBias = degrees
    return model
  }

  /// The same model without a speed.
  var withoutSpeed: ErrorModel {
    var model = self
    model.hasSpeed = false
    return model
  }
}
