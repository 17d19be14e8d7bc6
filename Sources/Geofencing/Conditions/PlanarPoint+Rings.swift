import Glibc
internal import PlanarGeometry

extension [PlanarPoint] {
  /// The area of a closed ring, positive when it runs counterclockwise.
  var signedArea: Double {
    guard let origin = first else { return 0 }
    return zip(self, dropFirst()).reduce(0) { sum, edge in
      let (a, b) = edge
      return sum + (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
    } / 2
  }

  /// Whether all points lie on one line.
  var isStraight: Bool {
    guard let origin = first, let other = first(where: { $0 != origin }) else { return true }
    return allSatisfy { point in
      (other.x - origin.x) * (point.y - origin.y) == (point.x - origin.x) * (other.y - origin.y)
    }
  }

  /// The length of the way from the first point to the last.
  var length: Double {
    zip(self, dropFirst()).reduce(0) { $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y) }
  }
}
