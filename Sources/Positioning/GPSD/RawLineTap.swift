/// Somebody who gets what gpsd says as it was said, beside those who get what it means.
package protocol RawLineTap: Sendable {
  /// Takes a line without its end, and what it means.
  ///
  /// It is called between two reports, so it may neither block nor take long.
  func offer(_ line: [UInt8], meaning message: GPSDMessage)
}
