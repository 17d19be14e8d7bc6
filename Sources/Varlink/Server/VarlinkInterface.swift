/// A served interface: its description, and a handler for each of its methods.
package struct VarlinkInterface: Sendable {
  package let description: VarlinkDescription

  let methods: [String: VarlinkMethod]
  let failure: @Sendable (any Error) -> VarlinkError

  /// The interface's name, from its description.
  package var name: String { description.name }

  /// Joins a description and the handlers of its methods.
  ///
  /// - Parameters:
  ///   - text: The description, in the language of varlink.org.
  ///   - methods: A handler for each method, by the method's short name.
  ///   - failure: Makes the error for the caller if a handler throws an error that isn't a ``VarlinkError``.
  /// - Throws: if the text has a mistake, a method has no handler, or a handler has no method.
  package init(
    text: String, methods: [String: VarlinkMethod],
    failure: @escaping @Sendable (any Error) -> VarlinkError
  ) throws(VarlinkDescriptionError) {
    description = try VarlinkDescription(text: text)
    for name in methods.keys.sorted() where description.methods[name] == nil {
      throw VarlinkDescriptionError(
        line: nil, problem: "\(description.name) doesn't describe the method '\(name)'")
    }
    for name in description.methods.keys.sorted() where methods[name] == nil {
      throw VarlinkDescriptionError(
        line: nil, problem: "the method '\(name)' of \(description.name) has no handler")
    }
    self.methods = methods
    self.failure = failure
  }
}
