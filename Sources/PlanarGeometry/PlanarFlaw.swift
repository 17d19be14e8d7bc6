/// Why some polygons aren't valid, and where.
package struct PlanarFlaw: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// Two edges cross, or run along each other.
    case edgesCross
    /// A ring comes back to a point where it has been.
    case ringTouchesItself
    case holeOutside
    case holesNested
    case polygonsNested
    case ringsEqual
    /// Rings touch so that the inside falls apart.
    case interiorDisconnected
    case tooFewPoints
    /// Another one, as GEOS says it.
    case other(String)
  }

  package let reason: Reason

  /// A point at which it is so.
  package let point: PlanarPoint
}

extension PlanarFlaw.Reason {
  /// The reason for one of GEOS's names of reasons.
  init(_ text: String) {
    self =
      switch text {
      case "Self-intersection": .edgesCross
      case "Ring Self-intersection": .ringTouchesItself
      case "Hole lies outside shell": .holeOutside
      case "Holes are nested": .holesNested
      case "Nested shells": .polygonsNested
      case "Duplicate Rings": .ringsEqual
      case "Interior is disconnected": .interiorDisconnected
      case "Too few points in geometry component": .tooFewPoints
      default: .other(text)
      }
  }
}
