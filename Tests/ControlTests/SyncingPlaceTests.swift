import Testing

@testable import GeofenceDaemon

@Suite struct `What a consumer surely has on its disk` {
  @Test func `is what it was given six minutes ago`() {
    var place = SyncingPlace(given: 0, synced: 0, delay: .seconds(360), at: .zero)
    for event in 1...10 { place.give(Int64(event), at: .seconds(event * 2)) }
    _ = place.settle(at: .seconds(361))
    #expect(place.synced == 0)
    let hasMoved = place.settle(at: .seconds(362))
    #expect(hasMoved && place.synced == 1)
    _ = place.settle(at: .seconds(379))
    #expect(place.synced == 1)
    _ = place.settle(at: .seconds(380))
    #expect(place.synced == 10)
    let hasMovedAgain = place.settle(at: .seconds(1000))
    #expect(!hasMovedAgain)
  }
}
