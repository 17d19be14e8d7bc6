import Geofencing
import Positioning
import TestSupport
import Testing

/// Looks once a minute at a receiver that is at rest for hours, and wanders.
@Suite(.timeLimit(.minutes(10))) struct `Looks at a parked receiver` {
  /// Rests until the pause, then looks once a minute for as long as each look takes.
  ///
  /// - Returns: how many looks there were, how many of them found movement, how many had no end, and
  ///   how many fixes the longest took.
  private func look(
    at fixes: [Location]
  ) -> (looks: Int, moved: Int, unsure: Int, longest: Int) {
    var pause = AutomaticPause()
    var result = (looks: 0, moved: 0, unsure: 0, longest: 0)
    var index = 0
    while index < fixes.count {
      if !pause.isPaused {
        _ = pause.take(fixes[index])
        index += 1
        continue
      }
      let next = fixes[index - 1].timestamp + .seconds(60)
      guard let start = fixes[index...].firstIndex(where: { $0.timestamp >= next }) else { break }
      pause.beginLook()
      var finding = AutomaticPause.Finding.unsure
      index = start
      while finding == .unsure, index < fixes.count {
        finding = pause.look(at: fixes[index])
        index += 1
      }
      result.looks += 1
      result.moved += finding == .moved ? 1 : 0
      result.unsure += finding == .unsure ? 1 : 0
      result.longest = max(result.longest, index - start)
    }
    return result
  }

  @Test(arguments: [(3.0, 60, 0.1), (5.0, 20, 0.2), (8.0, 60, 0.3), (8.0, 120, 0.1)])
  func `never find it elsewhere in eight hours of drift`(
    drift: Double, driftTime: Int, doppler: Double
  ) throws {
    var faults = Receiver.Faults()
    faults.drift = drift
    faults.driftTime = .seconds(driftTime)
    faults.dopplerNoise = doppler
    faults.reflectionSize = 30...250
    faults.reflectionLength = 1...20
    let spot = try Coordinate(validLatitude: 52.5163, longitude: 13.3777)
    let track = Track(standingAt: spot, for: .seconds(8 * 3600))
    for seed in UInt64(11)...13 {
      let fixes = Receiver(seed: seed, faults: faults).observe(track, startingAt: at(0))
        .compactMap(\.location)
      let result = look(at: fixes)
      #expect(result.looks > 300)
      #expect(result.moved == 0)
      #expect(result.unsure <= 1)
      #expect(result.longest <= 75)
    }
  }

  @Test func `never find a real receiver elsewhere`() async throws {
    let fixes = try await recordedFixes()
    // Other offsets are other looks.
    for offset in [0, 13, 29, 41] {
      let result = look(at: Array(fixes.dropFirst(offset)))
      #expect(result.looks > 80)
      #expect(result.moved == 0)
    }
  }
}
