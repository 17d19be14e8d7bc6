/// Why a condition is no longer watched.
package enum UnmonitoredReason: String, BitwiseCopyable, Sendable, Hashable, Codable {
  case removed
  case replaced
  case expired
}
