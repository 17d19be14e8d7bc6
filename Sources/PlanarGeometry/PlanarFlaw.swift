/// Why some polygons aren't valid, and where.
package struct PlanarFlaw: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// Two edges cross, or run along each other.
    case edgesCross
    /// A ring comes back to one of its points.
    case ringTouchesItself
    case holeOutside
    case holesNested
    case polygonsNested
    case ringsEqual
    /// Rings touch so that the inside isn't connected.
    case interiorDisconnected
    case tooFewPoints
    /// Another reason, in the words of GEOS.
    case other(String)
  }

  package let reason: Reason

  /// A point where the flaw is.
  package let point: PlanarPoint
}

extension PlanarFlaw.Reason {
  /// The reason for a text of GEOS.
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
