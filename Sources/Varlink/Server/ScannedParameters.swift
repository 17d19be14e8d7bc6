package import JSONCoding

/// Parameters that can be read as the message is scanned, for methods that take very many values at
/// once: a general decoder takes several times as long.
///
/// The scan refuses whatever the method's description doesn't allow, as nobody else looks at what it
/// takes, and may refuse whatever else is out of the ordinary. Then the description and `Decodable` are
/// asked, whose error is the one that is told.
package protocol ScannedParameters: Decodable {
  /// Reads the object that comes next.
  init(from scanner: inout JSONScanner) throws
}

extension ScannedParameters {
  /// The parameters of a request; nil where the others have to be asked.
  static func scanned(from request: [UInt8]) -> Self? {
    do {
      var scanner = try JSONScanner(request)
      var parameters: Self?
      try scanner.eachMember { scanner, key in
        guard key == "parameters" else { return try scanner.skip() }
        guard parameters == nil else { throw UnexpectedForm() }
        parameters = try Self(from: &scanner)
      }
      return parameters
    } catch {
      return nil
    }
  }
}
