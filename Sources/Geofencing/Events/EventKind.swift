/// What happened to a condition.
package enum EventKind: String, BitwiseCopyable, Sendable, Hashable, Codable, CaseIterable {
  /// The state became known, and contradicts no state that was known before.
  case determined

  /// The position came inside.
  case entered

  /// The position went outside.
  case exited

  /// The position passed through between two fixes that are both outside; the state stays.
  case crossed

  /// No usable fix has come for so long that the state isn't known any more.
  case undetermined

  /// The condition is no longer watched, and has no more events.
  ///
  /// If it was replaced, another one with the same identifier is watched from now on.
  case unmonitored
}

extension EventKind {
  package init(from decoder: any Decoder) throws { try self.init(nameOf: "kind", from: decoder) }
}

extension RawRepresentable<String> where Self: CaseIterable {
  /// Decodes the name of a case; the error lists the names.
  ///
  /// - Parameters:
  ///   - what: what the value is, for the error.
  ///   - choices: the cases that the error lists; all are decoded.
  init(
    nameOf what: String, from decoder: any Decoder, outOf choices: [Self] = Array(Self.allCases)
  ) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let value = Self(rawValue: name) else {
      let names = choices.map(\.rawValue)
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "a \(what) is \(names.dropLast().joined(separator: ", ")) or "
          + "\(names.last ?? ""), not \(Identifier.quoted(name))")
    }
    self = value
  }
}
