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

  @Test func `is what lies long enough behind, whatever is given then`() {
    var place = SyncingPlace(given: 0, synced: 0, delay: .seconds(360), at: .zero)
    place.give(1, at: .seconds(10))
    place.give(2, at: .seconds(20))
    // Nobody has looked meanwhile: the first two are on the disk, this one isn't.
    place.give(3, at: .seconds(1000))
    #expect(place.synced == 2)
    let hasMoved = place.settle(at: .seconds(1359))
    #expect(!hasMoved && place.synced == 2)
    _ = place.settle(at: .seconds(1360))
    #expect(place.synced == 3)
  }
}
