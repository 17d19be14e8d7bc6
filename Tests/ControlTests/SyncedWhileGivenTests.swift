import Testing

@testable import GeofenceDaemon

/// What a consumer surely has on its disk that is given something now and then.
@Suite struct SyncedWhileGivenTests {
  @Test func `what lies long enough behind has settled, whatever is given then`() {
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
