/// A sentence of NMEA 0183 with its checksum, and without a line end.
package func nmea(_ body: String) -> String {
  let sum = body.utf8.reduce(0, ^)
  return "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
}
