package import Geofencing

/// A transition that is to be logged, with the explanation that is kept beside it.
package struct Decision: Sendable, Hashable {
  package let transition: Transition

  /// Why it came to that; nil where nothing was judged.
  package let explanation: Explanation?

  package init(_ transition: Transition, explanation: Explanation? = nil) {
    self.transition = transition
    self.explanation = explanation
  }
}
