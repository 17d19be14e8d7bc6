import TestSupport
import Testing

@testable import ConditionBenchmark

@Suite struct WorkloadTests {
  /// SplitMix64's own first numbers for the seed 0, of which 53 bits are taken.
  @Test func `random numbers are those of SplitMix64`() {
    var random = SplitMix64(seed: 0)
    let published: [UInt64] = [
      0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
    ]
    for number in published { #expect(random.unit() == Double(number >> 11) * 0x1p-53) }
  }

  /// The bits of numbers in a row (FNV-1a): one that differs changes all of it.
  private static func hash(_ numbers: [Double]) -> UInt64 {
    numbers.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ $1.bitPattern) &* 0x0000_0100_0000_01B3 }
  }

  @Test func `circles spread evenly are the same everywhere, to the last bit`() {
    let circles = Workload(.even, count: 10_000).circles
    #expect(circles.count == 10_000)
    let hash = Self.hash(circles.flatMap { [$0.latitude, $0.longitude, $0.radius] })
    #expect(hash == 0x5222_A7DB_F6F9_10A0)
  }

  /// What needs logarithms and sines may differ in the last bit from machine to machine.
  @Test func `the city, the track and the devices are as defined`() throws {
    let workload = Workload(.city, count: 10_000)
    func expect(_ point: Workload.Point, _ latitude: Double, _ longitude: Double) {
      #expect(abs(point.latitude - latitude) < 1e-10 && abs(point.longitude - longitude) < 1e-10)
    }
    let circle = workload.circles[9999]
    expect(
      Workload.Point(latitude: circle.latitude, longitude: circle.longitude), 48.165121832777295,
      11.403872367559485)
    #expect(abs(circle.radius - 239.98209379491624) < 1e-9)
    #expect(workload.track.count == 100_000)
    expect(workload.track[0], 48.099988956287405, 11.499975033489823)
    expect(workload.track[99_999], 48.048503040008036, 11.413671510460443)
    #expect(workload.devices.count == 10_000)
    expect(workload.devices[9999], 48.096498220542436, 11.588744627445838)
  }

  @Test func `each size has its answers`() {
    for spread in Workload.Spread.allCases {
      for size in ExpectedAnswers.sizes { #expect(ExpectedAnswers.of(spread, size) != nil) }
    }
    #expect(ExpectedAnswers.of(.even, 1_000_000)?.events == 167_514)
  }
}
