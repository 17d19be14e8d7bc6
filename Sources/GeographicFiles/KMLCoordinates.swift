import CommandLineParsing
import Geofencing
import JSONCoding

/// The positions in the text of a KML `coordinates` element: `16.37,48.21,170 16.38,48.22`.
///
/// After longitude and latitude may come an altitude, which is ignored.
func kmlPositions(_ text: String) throws(Mistake) -> [Position] {
  var positions: [Position] = []
  for tuple in text.utf8.split(whereSeparator: { $0 == 0x20 || (0x09...0x0D).contains($0) }) {
    let numbers = tuple.split(
      separator: UInt8(ascii: ","), maxSplits: 3, omittingEmptySubsequences: false)
    guard (2...3).contains(numbers.count) else { throw notAPosition(tuple) }
    var values: [Double] = []
    for number in numbers {
      switch DecimalText(Array(number).span) {
      case .number(let value): values.append(value)
      case .outOfRange: throw Mistake("a number in the coordinates is out of range")
      case .notANumber: throw notAPosition(tuple)
      }
    }
    guard positions.count < Mistake.positionLimit else { throw .tooManyPositions }
    positions.append(Position(longitude: values[0], latitude: values[1]))
  }
  guard !positions.isEmpty else { throw Mistake("there is nothing in its coordinates") }
  return positions
}

private func notAPosition(_ tuple: Substring.UTF8View) -> Mistake {
  Mistake(
    "coordinates '\(shortened(Substring(tuple)))': write LONGITUDE,LATITUDE, two numbers without a space"
  )
}
