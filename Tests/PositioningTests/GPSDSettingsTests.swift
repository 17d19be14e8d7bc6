import Testing

@testable import Positioning

@Suite struct `The settings for gpsd` {
  private let settings = GPSDSettings()

  @Test(arguments: [
    (0, 0.5), (1, 0.5), (2, 1), (3, 2), (6, 16), (7, 30), (8, 30), (1_000_000, 30),
  ])
  func `let the delay between attempts grow up to a limit`(failures: Int, seconds: Double) {
    #expect(settings.delay(afterFailures: failures) == .seconds(seconds))
  }

  @Test(arguments: [(0, 10.0), (1, 20), (2, 40), (6, 600), (1_000_000, 600)])
  func `let silent connections last longer and longer`(silences: Int, seconds: Double) {
    #expect(settings.patience(afterSilences: silences) == .seconds(seconds))
  }

  @Test func `never cut a silence that is longer than the limit`() {
    var settings = settings
    settings.silence = .seconds(900)
    #expect(settings.patience(afterSilences: 3) == .seconds(900))
  }
}
