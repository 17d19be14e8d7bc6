internal import ControlInterface
internal import Geofencing

// Between the types of the interface and the library's own.

extension Location {
  init(_ location: ControlLocation) {
    self.init(
      coordinate: Coordinate(latitude: location.latitude, longitude: location.longitude),
      timestamp: location.timestamp.date, horizontalAccuracy: location.horizontalAccuracy,
      speed: location.speed, course: location.course, altitude: location.altitude,
      mode: location.mode, isSimulated: location.simulated)
    ellipsoidalAltitude = location.ellipsoidalAltitude
    verticalAccuracy = location.verticalAccuracy
    speedAccuracy = location.speedAccuracy
    courseAccuracy = location.courseAccuracy
    satellitesUsed = location.satellitesUsed
    device = location.device
  }
}

extension Monitor.Event.State {
  init(_ state: ConditionState) {
    self =
      switch state {
      case .unknown: .unknown
      case .satisfied: .satisfied
      case .unsatisfied: .unsatisfied
      case .unmonitored: .unmonitored
      }
  }

  /// The state as a type of the engine.
  var conditionState: ConditionState {
    switch self {
    case .unknown: .unknown
    case .satisfied: .satisfied
    case .unsatisfied: .unsatisfied
    case .unmonitored: .unmonitored
    }
  }
}

extension Monitor.Event {
  init(_ event: Geofencing.Event) {
    let transition = event.transition
    self.init(
      identifier: transition.key.identifier, state: State(transition.state),
      previousState: State(transition.previousState), kind: Kind(transition.kind),
      date: transition.date.date, sequence: Int(event.sequence), log: event.log ?? "")
    monitor = transition.key.monitor.name
    bounds = transition.bounds.map { $0.lowerBound.date...$0.upperBound.date }
    location = transition.location.map { location in
      var location = Location(ControlLocation(location))
      // An event carries no mode.
      location.mode = location.altitude == nil ? 2 : 3
      return location
    }
    distance = transition.distance
    probability = transition.probability
    visit = transition.visit.map {
      Visit(id: $0.id, began: $0.began.date, duration: transition.duration)
    }
    accuracyLimited = transition.isAccuracyLimited
    reason = transition.reason.map { reason in
      switch reason {
      case .removed: .removed
      case .replaced: .replaced
      case .expired: .expired
      }
    }
  }
}

extension Monitor.Event.Kind {
  fileprivate init(_ kind: EventKind) {
    self =
      switch kind {
      case .determined: .determined
      case .entered: .entered
      case .exited: .exited
      case .crossed: .crossed
      case .undetermined: .undetermined
      case .unmonitored: .unmonitored
      }
  }
}

extension Monitor.Record {
  init(_ record: MonitorRecord) {
    self.init(
      condition: record.condition.publicCondition, state: Monitor.Event.State(record.state),
      lastEvent: record.lastEvent.map(Monitor.Event.init),
      accuracyLimited: record.accuracyLimited)
  }
}

extension LocationUpdate {
  init(_ reply: Locations.Reply) {
    self.init(location: reply.location.map(Location.init))
    isStationary = reply.stationary
    accuracyLimited = reply.accuracyLimited
    receiverDisconnected = reply.receiverDisconnected
    disconnection = reply.disconnection
    missedUpdates = reply.dropped
  }
}
