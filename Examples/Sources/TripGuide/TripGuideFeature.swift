/// The trip guide as states and actions: what happens goes in, what to do comes out.
package struct TripGuideFeature: Sendable {
  /// What there is to show.
  package struct State: Sendable, Hashable {
    package let trip: Trip
    package var isMonitoring = false
    package var isInFrame = false

    /// The landmarks that were visited, in that order.
    package var badges: [Landmark.ID] = []

    /// Why there is no monitoring.
    package var failure: String?

    /// Whether there is nothing left to see.
    package var isComplete: Bool { isInFrame && badges.count == trip.landmarks.count }

    package init(trip: Trip) {
      self.trip = trip
    }
  }

  /// What happens.
  package enum Action: Sendable, Hashable {
    case startTapped
    case stopTapped
    case monitoring(TripGuideClient.Event)
    case monitoringEnded
    case monitoringFailed(String)
  }

  /// What is to be done about it.
  package enum Effect: Sendable, Hashable {
    case none
    case monitor(Trip)
    case stop
  }

  private let client: TripGuideClient

  package init(client: TripGuideClient) {
    self.client = client
  }

  /// Takes an action; knows no client and no time.
  package static func reduce(_ state: inout State, _ action: Action) -> Effect {
    switch action {
    case .startTapped:
      guard !state.isMonitoring else { return .none }
      state = State(trip: state.trip)
      state.isMonitoring = true
      return .monitor(state.trip)
    case .stopTapped:
      guard state.isMonitoring else { return .none }
      state.isMonitoring = false
      return .stop
    case .monitoring(.didEnterFrame):
      state.isInFrame = true
    case .monitoring(.didEnterBadge(let id)):
      if !state.badges.contains(id) { state.badges.append(id) }
    case .monitoringEnded:
      state.isMonitoring = false
    case .monitoringFailed(let reason):
      state.isMonitoring = false
      state.failure = reason
    }
    return .none
  }

  /// Travels once, from the first tap to the end, and shows every state.
  ///
  /// Cancelling the task is the tap on stop.
  package func travel(
    _ trip: Trip, isolation: isolated (any Actor)? = #isolation, show: (State) -> Void
  ) async {
    var state = State(trip: trip)
    func send(_ action: Action) -> Effect {
      defer { show(state) }
      return Self.reduce(&state, action)
    }
    guard case .monitor(let trip) = send(.startTapped) else { return }
    do {
      for try await event in try await client.startMonitoring(trip) {
        _ = send(.monitoring(event))
      }
      _ = send(Task.isCancelled ? .stopTapped : .monitoringEnded)
    } catch {
      _ = send(.monitoringFailed("\(error)"))
    }
  }
}
