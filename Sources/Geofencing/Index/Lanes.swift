/// Which of eight things something is true of, one after the other.
struct Lanes: Sequence, IteratorProtocol {
  /// A byte for each, all ones or all zeros.
  private var bytes: UInt64

  @inline(__always)
  init(_ mask: SIMDMask<SIMD8<Int32>>) {
    let numbers = unsafe unsafeBitCast(mask, to: SIMD8<Int32>.self)
    bytes = unsafe unsafeBitCast(SIMD8<Int8>(truncatingIfNeeded: numbers), to: UInt64.self)
  }

  /// The things of which the bits are ones.
  @inline(__always)
  static func mask(of bits: Int32) -> SIMDMask<SIMD8<Int32>> {
    let single = SIMD8(repeating: bits) & SIMD8(1, 2, 4, 8, 16, 32, 64, 128)
    // To compare whole numbers is a loop over the eight.
    return SIMD8<Float>(single) .> 0
  }

  /// Whether there is none.
  var isEmpty: Bool { bytes == 0 }

  @inline(__always)
  mutating func next() -> Int? {
    guard bytes != 0 else { return nil }
    let lane = bytes.trailingZeroBitCount >> 3
    bytes &= ~(0xff << UInt64(lane << 3))
    return lane
  }
}
