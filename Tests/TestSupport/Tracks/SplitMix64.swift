import Glibc

/// A generator of random numbers that are the same for the same seed, on every machine.
///
/// For the algorithm see https://prng.di.unimi.it/splitmix64.c.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, but not including, 1.
  package mutating func unit() -> Double {
    Double(next() >> 11) / Double(UInt64(1) << 53)
  }

  /// A number from a range, evenly distributed.
  package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// True with the given probability.
  package mutating func chance(_ probability: Double) -> Bool {
    unit() < probability
  }

  /// A number from the normal distribution with mean 0 and standard deviation 1.
  package mutating func normal() -> Double {
    // The Box–Muller transform; 1 − unit() is never zero.
    (-2 * log(1 - unit())).squareRoot() * cos(2 * Double.pi * unit())
  }
}
