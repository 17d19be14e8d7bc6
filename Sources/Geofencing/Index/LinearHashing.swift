/// Places of hashes in a table that grows by one place at a time.
///
/// So no addition waits until all entries are put into a larger table (W. Litwin, "Linear hashing", 1980).
enum LinearHashing {
  /// The place of a hash, by as many of its bits as are needed for the number of places.
  ///
  /// - Parameter count: how many places there are; more than 0.
  @inline(__always)
  static func place(of hash: Int, among count: Int) -> Int {
    let bits = Int.bitWidth - (count - 1).leadingZeroBitCount
    let place = hash & (1 << bits - 1)
    return place < count ? place : place & (1 << (bits - 1) - 1)
  }

  /// The place some of whose entries belong in the place that is added next.
  ///
  /// - Parameter count: how many places there are without the new one; more than 0.
  static func divided(among count: Int) -> Int {
    count & ~(1 << (Int.bitWidth - count.leadingZeroBitCount - 1))
  }
}
