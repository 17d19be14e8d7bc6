/// What a consumer has even after a power cut, which may be less than it was given.
package struct SyncedPlace: Sendable, Hashable {
  /// The last event that it has for sure.
  package let sequence: Int64

  /// In which run of the machine it was given what came after.
  package let boot: String

  package init(sequence: Int64, boot: String) {
    (self.sequence, self.boot) = (sequence, boot)
  }
}
