/// Where hashes belong in a table that grows by one place with every entry.
///
/// So no addition waits until all are put into a larger one (W. Litwin, "Linear hashing", 1980).
enum LinearHashing {
  /// The place of a hash among some: by as many of its bits as there are places for.
  ///
  /// - Parameter count: how many places there are; more than 0.
  @inline(__always)
  static func place(of hash: Int, among count: Int) -> Int {
    let bits = Int.bitWidth - (count - 1).leadingZeroBitCount
    let place = hash & (1 << bits - 1)
    return place < count ? place : place & (1 << (bits - 1) - 1)
  }

  /// The place whose entries belong partly in the next one that is added.
  ///
  /// - Parameter count: how many places there are without it; more than 0.
  static func divided(among count: Int) -> Int {
    count & ~(1 << (Int.bitWidth - count.leadingZeroBitCount - 1))
  }
}
