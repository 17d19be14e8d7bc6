/// What a test needs and can't have, or waited for in vain, with what there was instead.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
