import LinuxSystem
import Testing

@testable import Positioning

@Suite struct `The settings for gpsd` {
  private let settings = GPSDSettings()

  @Test func `let the delay between attempts grow up to a limit`() {
    var delays = settings.delays
    let seconds = [0.5, 1, 2, 4, 8, 16, 30, 30]
    #expect(seconds.map { _ in delays.next() } == seconds.map { .seconds($0) })
  }

  @Test func `let silent connections last longer and longer`() {
    var patience = settings.patience
    let seconds = [10, 20, 40, 80, 160, 320, 600, 600]
    #expect(seconds.map { _ in patience.next() } == seconds.map { .seconds($0) })
  }

  @Test func `never cut a silence that is longer than the limit`() {
    var settings = settings
    settings.silence = .seconds(900)
    var patience = settings.patience
    #expect((0...3).map { _ in patience.next() } == Array(repeating: .seconds(900), count: 4))
  }
}
