/// The last fix as it is stored: in numbers, because everybody waits while it is written with each event.
extension Location {
  /// The version of the archive's format: see ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 1

  /// Reads what was stored; nil if that can't be read.
  package init?(words: [UInt64]) {
    self.init(timestamp: .never, coordinate: .nowhere)
    guard NumberArchive.read(words, form: Self.form, { exchange(with: &$0) }) else { return nil }
  }

  /// The numbers as which it is stored.
  package var words: [UInt64] {
    var copy = self
    return NumberArchive.words(form: Self.form, capacity: 32) { copy.exchange(with: &$0) }
  }

  private mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&timestamp)
    archive.exchange(&coordinate)
    archive.exchange(&mode, upTo: .max)
    archive.exchange(&isSimulated)
    archive.exchange(&followsDiscontinuity)
    archive.exchange(row: { row in
      row.exchange(inRow: &altitude)
      row.exchange(inRow: &ellipsoidalAltitude)
      row.exchange(inRow: &horizontalAccuracy)
      row.exchange(inRow: &verticalAccuracy)
      row.exchange(inRow: &speed)
      row.exchange(inRow: &speedAccuracy)
      row.exchange(inRow: &course)
      row.exchange(inRow: &satellitesUsed, into: 0) { $1.exchange(&$0, upTo: .max) }
      row.exchange(inRow: &device, into: "") { $1.exchange(&$0) }
      row.exchange(inRow: &courseAccuracy)
    })
  }
}
