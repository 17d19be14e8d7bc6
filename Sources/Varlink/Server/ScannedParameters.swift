package import JSONCoding

/// Parameters that can be read directly from the message, for methods with very many values.
///
/// A general decoder takes several times as long. The scan has to refuse whatever the method's description doesn't
/// allow, as the parameters aren't checked again. It may also refuse what is merely unusual. After a refusal, the
/// parameters are checked against the description and decoded; the caller gets the error of that.
package protocol ScannedParameters: Decodable {
  /// Reads the next value, the object of the parameters.
  init(from scanner: inout JSONScanner) throws
}

extension ScannedParameters {
  /// The parameters of a request; nil if the scan refused them, so that they have to be decoded.
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
