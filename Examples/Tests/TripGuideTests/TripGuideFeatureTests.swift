import GeofenceClient
import Testing
import TripGuide

/// The states and actions, with a client by hand: no daemon and no places.
@Suite struct TripGuideFeatureTests {
  static let trip = Trip(
    name: "Seoul", center: Coordinate(latitude: 37.5665, longitude: 126.9780),
    landmarks: [
      Landmark(id: "palace", coordinate: Coordinate(latitude: 37.5796, longitude: 126.9770)),
      Landmark(id: "tower", coordinate: Coordinate(latitude: 37.5512, longitude: 126.9882)),
    ])

  private func states(_ actions: [TripGuideFeature.Action]) -> TripGuideFeature.State {
    var state = TripGuideFeature.State(trip: Self.trip)
    for action in actions { _ = TripGuideFeature.reduce(&state, action) }
    return state
  }

  @Test func `starting asks for monitoring, once`() {
    var state = TripGuideFeature.State(trip: Self.trip)
    #expect(TripGuideFeature.reduce(&state, .startTapped) == .monitor(Self.trip))
    #expect(state.isMonitoring)
    #expect(TripGuideFeature.reduce(&state, .startTapped) == .none)
  }

  @Test func `stopping stops what runs, and nothing else`() {
    var state = TripGuideFeature.State(trip: Self.trip)
    #expect(TripGuideFeature.reduce(&state, .stopTapped) == .none)
    _ = TripGuideFeature.reduce(&state, .startTapped)
    #expect(TripGuideFeature.reduce(&state, .stopTapped) == .stop)
    #expect(!state.isMonitoring)
  }

  @Test func `a badge is earned once, and all of them in the frame are the trip`() {
    let visit = TripGuideFeature.Action.monitoring(.didEnterBadge("palace"))
    let once = states([.startTapped, .monitoring(.didEnterFrame), visit, visit])
    #expect(once.badges == ["palace"] && once.isInFrame && !once.isComplete)
    #expect(
      states([
        .startTapped, .monitoring(.didEnterFrame), visit, .monitoring(.didEnterBadge("tower")),
      ]).isComplete)
  }

  @Test func `starting again forgets the last trip`() {
    let state = states([
      .startTapped, .monitoring(.didEnterFrame), .monitoringFailed("no daemon"), .startTapped,
    ])
    #expect(state.isMonitoring && !state.isInFrame && state.failure == nil)
  }

  @Test func `travelling shows what a client by hand tells`() async {
    let (events, tell) = TripGuideClient.Events.makeStream()
    let client = TripGuideClient { trip in
      #expect(trip == Self.trip)
      return events
    }
    for event in [TripGuideClient.Event.didEnterFrame, .didEnterBadge("tower")] {
      tell.yield(event)
    }
    tell.finish()
    var shown: [TripGuideFeature.State] = []
    await TripGuideFeature(client: client).travel(Self.trip) { shown.append($0) }
    #expect(shown.map(\.isMonitoring) == [true, true, true, false])
    #expect(shown.map(\.isInFrame) == [false, true, true, true])
    #expect(shown.last?.badges == ["tower"])
  }

  @Test func `a trip that fails on the way keeps what was seen, and says why`() async {
    struct DaemonGone: Error, CustomStringConvertible { let description = "the daemon is gone" }
    let (events, tell) = TripGuideClient.Events.makeStream()
    tell.yield(.didEnterBadge("tower"))
    tell.finish(throwing: DaemonGone())
    var shown: [TripGuideFeature.State] = []
    await TripGuideFeature(client: TripGuideClient { _ in events })
      .travel(Self.trip) { shown.append($0) }
    #expect(shown.last?.failure == "the daemon is gone" && shown.last?.isMonitoring == false)
    #expect(shown.last?.badges == ["tower"])
  }

  @Test func `a client that can't start is told of`() async {
    struct NoDaemon: Error, CustomStringConvertible { let description = "no daemon" }
    var shown: [TripGuideFeature.State] = []
    await TripGuideFeature(client: TripGuideClient { _ in throw NoDaemon() })
      .travel(Self.trip) { shown.append($0) }
    #expect(shown.map(\.failure) == [nil, "no daemon"])
    #expect(shown.last?.isMonitoring == false)
  }
}
