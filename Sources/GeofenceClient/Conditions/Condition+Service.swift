internal import Geofencing

/// A kind of condition that the service knows.
protocol ServiceCondition: Condition {
  /// The shape as the rules have it.
  ///
  /// - Throws: a `ConditionError` that says which number is wrong.
  var shape: Geofencing.Condition.Shape { get throws }
}

extension CircularGeographicCondition: ServiceCondition {
  var shape: Geofencing.Condition.Shape {
    get throws {
      .circle(
        try Geofencing.CircularGeographicCondition(
          center: Geofencing.Coordinate(
            validLatitude: center.latitude, longitude: center.longitude),
          radius: radius))
    }
  }

  fileprivate init(_ circle: Geofencing.CircularGeographicCondition) {
    self.init(
      center: Coordinate(latitude: circle.center.latitude, longitude: circle.center.longitude),
      radius: circle.radius)
  }
}

extension Geofencing.Condition {
  /// A condition of a program as the service has it.
  ///
  /// - Throws: ``MonitorError``, with what would be right.
  init(_ condition: any Condition) throws(MonitorError) {
    guard let known = condition as? any ServiceCondition else {
      throw .conditionUnsupported(
        "\(type(of: condition)) is no kind of condition that the service knows; "
          + "use a CircularGeographicCondition")
    }
    let options = known.options
    do {
      let expires = try options.expires.map { date in
        guard let expires = Timestamp(date) else {
          throw MonitorError.conditionInvalid("expires is out of range: give a date before 2262")
        }
        return expires
      }
      try self.init(
        shape: known.shape, enterAfter: options.enterAfter, exitAfter: options.exitAfter,
        confidence: options.confidence, expires: expires)
    } catch let error as MonitorError {
      throw error
    } catch {
      throw .conditionInvalid("\(error)")
    }
  }

  /// The condition as a program sees it.
  var publicCondition: any Condition {
    var condition: any Condition =
      switch shape {
      case .circle(let circle): CircularGeographicCondition(circle)
      }
    condition.options = ConditionOptions(
      enterAfter: enterAfter, exitAfter: exitAfter, confidence: confidence,
      expires: expires?.date)
    return condition
  }
}

/// Any condition, so that what holds one can be compared.
struct AnyCondition: Sendable, Hashable {
  let value: any Condition

  static func == (a: AnyCondition, b: AnyCondition) -> Bool {
    AnyHashable(a.value) == AnyHashable(b.value)
  }

  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
