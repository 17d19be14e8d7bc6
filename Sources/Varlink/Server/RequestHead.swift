import JSONCoding

/// The members of a request other than its parameters.
///
/// The parameters are passed over, as decoding them would take many times their memory.
struct RequestHead {
  private(set) var method = ""
  private(set) var more = false
  private(set) var oneway = false
  private(set) var upgrade = false

  /// How deeply a message may be nested; reading deeper ones would need too much stack.
  static let maximumNesting = 32

  /// The longest text that isn't ASCII, in bytes: a long one could keep a shared thread busy for hours.
  static let maximumOtherText = 256

  /// Why the method can't be read from a message, as a sentence.
  struct Mistake: Error {
    let sentence: String
  }

  /// Reads a whole message; of members with the same name the first counts, as everywhere.
  init(of message: [UInt8]) throws(Mistake) {
    do {
      var scanner = try JSONScanner(
        message, maximumDepth: Self.maximumNesting, maximumOtherText: Self.maximumOtherText)
      var seen: Set<String> = []
      guard try scanner.kind() == .object else {
        try scanner.skip()
        throw Self.noRequest
      }
      try scanner.eachMember { scanner, key in
        // The length first: there may be very many members, and comparing texts takes long.
        guard key.utf8.count <= Self.longestMember else { return try scanner.skip() }
        let isFirst = Self.members.contains(key) && seen.insert(key).inserted
        switch key {
        case "method" where isFirst: method = try scanner.requiredString()
        case "more" where isFirst: more = try Self.flag(key, &scanner)
        case "oneway" where isFirst: oneway = try Self.flag(key, &scanner)
        case "upgrade" where isFirst: upgrade = try Self.flag(key, &scanner)
        default: try scanner.skip()
        }
      }
      guard seen.contains("method"), try scanner.isFinished() else { throw Self.noRequest }
    } catch let mistake as JSONMistake where mistake.isNesting {
      throw Mistake(sentence: "the message is nested more than \(Self.maximumNesting) deep")
    } catch let mistake as JSONMistake {
      throw Mistake(sentence: "\(Self.noRequest.sentence): \(mistake.problem)")
    } catch {
      throw error as? Mistake ?? Self.noRequest
    }
  }

  private static let members: Set = ["method", "more", "oneway", "upgrade"]
  private static let longestMember = "upgrade".utf8.count

  private static let noRequest = Mistake(
    sentence: "a message must be a JSON object with a 'method'")

  private static func flag(_ key: String, _ scanner: inout JSONScanner) throws -> Bool {
    guard try scanner.kind() == .word else {
      throw Mistake(sentence: "'\(key)' must be true or false")
    }
    return try scanner.word() ?? false
  }
}
