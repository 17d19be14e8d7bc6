import Foundation

/// A number with so many decimal places; if it is rounded to zero, it has no sign.
package func decimal(_ value: Double, places: Int) -> String {
  let text = String(format: "%.\(places)f", value)
  return Double(text) == 0 ? text.replacing("-", with: "") : text
}

extension String {
  /// This text with spaces up to a width, after it or on its left.
  package func padded(_ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - count))
    return left ? space + self : self + space
  }
}
