/// The known name that a mistyped name most likely means; nil if none is near enough.
///
/// - Parameter edits: How many letters may differ, apart from upper and lower case; if nil, one or two, depending on
///   the word's length.
package func nearestName(
  to typed: String, among names: some Sequence<String>, within edits: Int? = nil
) -> String? {
  guard typed.utf8.count <= 64 else { return nil }
  let lowercased = typed.lowercased()
  let limit = edits ?? (typed.utf8.count <= 4 ? 1 : 2)
  return names.map { (name: $0, distance: editDistance(lowercased, $0.lowercased())) }
    .filter { $0.distance <= limit }
    .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
}

/// How many letters have to be added, removed or changed to turn one word into the other.
private func editDistance(_ first: String, _ second: String) -> Int {
  let letters = Array(second.utf8)
  var row = Array(0...letters.count)
  for (index, letter) in first.utf8.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in letters.indices {
      let change = diagonal + (letter == letters[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(change, diagonal + 1, row[column] + 1)
    }
  }
  return row[letters.count]
}
