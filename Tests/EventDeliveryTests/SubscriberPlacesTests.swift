import Testing

@testable import EventDelivery

struct SubscriberPlacesTests {
  @Test func `nobody holds up the place of another user`() throws {
    let places = SubscriberPlaces()
    let ids = (UInt32(1000)...1001).compactMap { places.enter(user: $0, limit: 8, limitPerUser: 4) }
    for (id, position) in zip(ids, [Int64(2), 1]) {
      #expect(places.move(id, to: position) == position)
    }
    #expect(places.move(try #require(ids.first), to: 5) == 5)
  }

  @Test func `of one user's the slowest counts, and the place goes forward alone`() throws {
    let places = SubscriberPlaces()
    let ids = (0..<2).compactMap { _ in places.enter(user: 1000, limit: 8, limitPerUser: 4) }
    let moves: [(id: Int, position: Int64, place: Int64?)] = [
      // The other one isn't placed yet, and then where the log was before.
      (0, 5, 5), (1, 3, nil), (1, 7, nil), (0, 8, 7), (0, 9, nil), (1, 8, 8),
    ]
    for (id, position, place) in moves {
      #expect(places.move(ids[id], to: position) == place, "\(position)")
    }
    places.leave(ids[1])
    #expect(places.move(ids[0], to: 9) == 9)
  }

  @Test func `a user keeps out no other, all of them together not root, and root none of them`() {
    let places = SubscriberPlaces()
    func enter(_ user: UInt32) -> Bool {
      places.enter(user: user, limit: 3, limitPerUser: 2) != nil
    }
    #expect([1000, 1000, 1000].map(enter) == [true, true, false])
    #expect([0, 0, 0, 0].map(enter) == [true, true, true, false])
    #expect([1001, 1002].map(enter) == [true, false])
  }
}
