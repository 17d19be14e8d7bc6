import Geofencing

extension Identifier {
  /// A valid identifier for a name that people gave: as it is where that is valid, else without accents and with
  /// `-` for what isn't allowed; nil when nothing is left of it, or no letter where it has some.
  static func derived(from name: String) -> String? {
    if isValid(name) { return name }
    // By characters: a letter and its accent are one, whether they are written as one or as two.
    let plain = name.prefix(longestName).map { character in
      character.withoutAccent ?? (isValid(String(character)) ? String(character) : " ")
    }
    let words = plain.joined().split(separator: " ")
    let identifier = words.joined(separator: "-").prefix(maximumLength)
    guard !identifier.isEmpty else { return nil }
    // Else all houses 2 of streets in another script would be "2", told apart by their order.
    if name.contains(where: \.isLetter), !identifier.contains(where: \.isLetter) { return nil }
    return String(identifier)
  }

  /// So much of a name is made into an identifier; more would only take time.
  private static let longestName = 1000

  /// `way-4253` for what OpenStreetMap's programs call `way/4253`; anything else as it is.
  static func ofOpenStreetMap(_ id: String) -> String {
    // To compare a long text of accents takes a time in the square of their number.
    guard id.utf8.count <= 64 else { return id }
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, ["node", "way", "relation"].contains(parts[0]), Int64(parts[1]) != nil
    else { return id }
    return parts.joined(separator: "-")
  }

  /// Whether an id is a layer and a number, as GDAL and QGIS write: `LAYER.1`, `LAYER.2` and so on.
  ///
  /// Any number: where a table has gaps they aren't those that the rows have in the file, and what a place is called
  /// mustn't depend on how many are before it.
  static func isNumberOfRow(_ id: String) -> Bool {
    guard let dot = id.utf8.lastIndex(of: UInt8(ascii: ".")), dot > id.utf8.startIndex else {
      return false
    }
    let number = id.utf8[dot...].dropFirst()
    return !number.isEmpty
      && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
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

extension Character {
  /// A Latin letter without what is above, below or across it, as `L` for `Ł`, and `ss` or `AE` for one that
  /// stands for two; nil for anything else.
  ///
  /// Its name in Unicode says which it is: `LATIN CAPITAL LETTER L WITH STROKE`.
  fileprivate var withoutAccent: String? {
    // Nothing in ASCII has one, and one with very many accents takes a time in the square of their number.
    guard (2...32).contains(utf8.count) else { return nil }
    let capital = uppercased()
    if capital.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
      return capital.lowercased()
    }
    guard let name = unicodeScalars.first?.properties.name else { return nil }
    let words = name.utf8.split(separator: UInt8(ascii: " "))
    // The others have names of their own, as THORN, or are no letters.
    guard words.count == 4 || words.count > 4 && words[4].elementsEqual("WITH".utf8),
      words[0].elementsEqual("LATIN".utf8), words[3].count <= 2
    else { return nil }
    let letter = String(Substring(words[3]))
    return words[1].elementsEqual("SMALL".utf8) ? letter.lowercased() : letter
  }
}
