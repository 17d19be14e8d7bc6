/// The error of a test that can't get what it needs, or has waited in vain; the text tells what there was instead.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
