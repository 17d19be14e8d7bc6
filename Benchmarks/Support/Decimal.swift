import Foundation

/// A number with so many digits behind the point; one that they make zero has no sign.
package func decimal(_ value: Double, places: Int) -> String {
  let text = String(format: "%.\(places)f", value)
  return Double(text) == 0 ? text.replacing("-", with: "") : text
}
