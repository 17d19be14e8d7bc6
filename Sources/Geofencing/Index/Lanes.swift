/// The numbers of those of eight lanes of which something is true, in order.
struct Lanes: Sequence, IteratorProtocol {
  /// A byte for each lane, all ones or all zeros.
  private var bytes: UInt64

  @inline(__always)
  init(_ mask: SIMDMask<SIMD8<Int32>>) {
    let numbers = unsafe unsafeBitCast(mask, to: SIMD8<Int32>.self)
    bytes = unsafe unsafeBitCast(SIMD8<Int8>(truncatingIfNeeded: numbers), to: UInt64.self)
  }

  /// A mask of the lanes whose bits are 1.
  @inline(__always)
  static func mask(of bits: Int32) -> SIMDMask<SIMD8<Int32>> {
    let single = SIMD8(repeating: bits) & SIMD8(1, 2, 4, 8, 16, 32, 64, 128)
    // Comparing eight integers would be a loop.
    return SIMD8<Float>(single) .> 0
  }

  /// Whether no lane is left.
  var isEmpty: Bool { bytes == 0 }

  @inline(__always)
  mutating func next() -> Int? {
    guard bytes != 0 else { return nil }
    let lane = bytes.trailingZeroBitCount >> 3
    bytes &= ~(0xff << UInt64(lane << 3))
    return lane
  }
}
