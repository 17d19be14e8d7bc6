import Geofencing

extension Identifier {
  /// A valid identifier for a name that people gave: as it is where that is valid, else with `-` for
  /// what isn't allowed; nil when nothing is left of it, or no letter where it has some.
  static func derived(from name: String) -> String? {
    if isValid(name) { return name }
    // By characters: a letter and its accent are one, whether they are written as one or as two.
    let words = name.split { !isValid(String($0)) }
    let identifier = words.joined(separator: "-").prefix(maximumLength)
    guard !identifier.isEmpty else { return nil }
    // Else all houses 2 of streets in another script would be "2", told apart by their order.
    if name.contains(where: \.isLetter), !identifier.contains(where: \.isLetter) { return nil }
    return String(identifier)
  }

  /// `way-4253` for what OpenStreetMap's programs call `way/4253`; anything else as it is.
  static func ofOpenStreetMap(_ id: String) -> String {
    // To compare a long text of accents takes a time in the square of their number.
    guard id.utf8.count <= 64 else { return id }
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, ["node", "way", "relation"].contains(parts[0]), Int64(parts[1]) != nil
    else { return id }
    return parts.joined(separator: "-")
  }

  /// The same identifier each time for a name of which no letter is allowed: it stays when a file is
  /// edited elsewhere.
  ///
  /// The number is the FNV-1a hash of the name's bytes in UTF-8, of 32 bits and in hexadecimal digits
  /// (https://datatracker.ietf.org/doc/draft-eastlake-fnv/).
  static func hashed(from name: String) -> String {
    let hash = name.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return "place-" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}
