import LinuxSystem
import Testing

@Suite struct PerUserTests {
  private final class Room: Sendable {}

  @Test func `what a user does shares one, which goes with the last`() {
    let rooms = PerUser { Room() }
    weak var gone: Room?
    do {
      let first = rooms.shared(by: 7)
      gone = first
      #expect(rooms.shared(by: 7) === first)
      #expect(rooms.shared(by: 8) !== first)
      withExtendedLifetime(first) {}
    }
    #expect(gone == nil)
  }
}
