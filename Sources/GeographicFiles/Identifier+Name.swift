import Geofencing

extension Identifier {
  /// A valid identifier made from a name for people; nil if nothing would be left of it, or none of its letters.
  ///
  /// A name that is valid stays as it is. In others, letters lose their accents, and what isn't allowed becomes `-`.
  static func derived(from name: String) -> String? {
    if isValid(name) { return name }
    // By characters, so that a letter and its accent are one, no matter how they are encoded.
    let plain = name.prefix(longestName).map { character in
      character.withoutAccent ?? (isValid(String(character)) ? String(character) : " ")
    }
    let words = plain.joined().split(separator: " ")
    let identifier = words.joined(separator: "-").prefix(maximumLength)
    guard !identifier.isEmpty else { return nil }
    // Otherwise each house number 2 of streets in another script would give "2", and only a count told them apart.
    if name.contains(where: \.isLetter), !identifier.contains(where: \.isLetter) { return nil }
    return String(identifier)
  }

  /// The part of a name that is used, in characters; using more would only take time.
  private static let longestName = 1000

  /// `way-4253` for `way/4253`, an id as OpenStreetMap's programs write it; other ids as they are.
  static func ofOpenStreetMap(_ id: String) -> String {
    // Comparing a long text of accents takes time in the square of their number.
    guard id.utf8.count <= 64 else { return id }
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, ["node", "way", "relation"].contains(parts[0]), Int64(parts[1]) != nil
    else { return id }
    return parts.joined(separator: "-")
  }

  /// Whether an id consists of a layer and a number, as GDAL and QGIS write it: `LAYER.1`, `LAYER.2` and so on.
  ///
  /// The number may be any, as it needn't be the row's number in the file: a table may have gaps. And the identifier of
  /// a place mustn't depend on the number of places before it.
  static func isNumberOfRow(_ id: String) -> Bool {
    guard let dot = id.utf8.lastIndex(of: UInt8(ascii: ".")), dot > id.utf8.startIndex else {
      return false
    }
    let number = id.utf8[dot...].dropFirst()
    return !number.isEmpty
      && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// An identifier for a name without any allowed letter: a hash, so that it stays when the file is edited elsewhere.
  ///
  /// The hash is the 32-bit FNV-1a hash of the name's UTF-8 bytes, in hexadecimal digits
  /// (https://datatracker.ietf.org/doc/draft-eastlake-fnv/).
  static func hashed(from name: String) -> String {
    let hash = name.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return "place-" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension Character {
  /// A Latin letter without its accent, such as `L` for `Ł`, or `ss` or `AE` for one that stands for two letters.
  ///
  /// Nil for anything else. The letter is taken from its name in Unicode: `LATIN CAPITAL LETTER L WITH STROKE`.
  fileprivate var withoutAccent: String? {
    // Nothing in ASCII has an accent, and a letter with very many accents takes time in the square of their number.
    guard (2...32).contains(utf8.count) else { return nil }
    let capital = uppercased()
    if capital.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
      return capital.lowercased()
    }
    guard let name = unicodeScalars.first?.properties.name else { return nil }
    let words = name.utf8.split(separator: UInt8(ascii: " "))
    // Other letters have names of their own, like THORN, and other characters aren't letters.
    guard words.count == 4 || words.count > 4 && words[4].elementsEqual("WITH".utf8),
      words[0].elementsEqual("LATIN".utf8), words[3].count <= 2
    else { return nil }
    let letter = String(Substring(words[3]))
    return words[1].elementsEqual("SMALL".utf8) ? letter.lowercased() : letter
  }
}
