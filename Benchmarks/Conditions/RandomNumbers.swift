import Glibc

/// Numbers that look random and are the same for the same seed, on every machine.
///
/// The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// 2014).
struct RandomNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, and without, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number between two others.
  mutating func between(_ least: Double, _ most: Double) -> Double {
    least + (most - least) * unit()
  }

  /// A number of the standard normal distribution (Box and Muller), from two of the others.
  mutating func normal() -> Double {
    let radius = unit()
    let angle = unit()
    return sqrt(-2 * log(1 - radius)) * cos(2 * .pi * angle)
  }
}
