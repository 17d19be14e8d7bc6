/// An interface that is served: its description, and a handler for each of its methods.
package struct VarlinkInterface: Sendable {
  package let description: VarlinkDescription

  let methods: [String: VarlinkMethod]
  let failure: @Sendable (any Error) -> VarlinkError

  /// The interface's name, as its description tells it.
  package var name: String { description.name }

  /// Joins a description and the handlers of its methods.
  ///
  /// - Parameters:
  ///   - text: The description, in the language of varlink.org.
  ///   - methods: A handler for each method, by the method's short name.
  ///   - failure: What a caller is told of an error that a handler throws and that is no
  ///     ``VarlinkError``.
  /// - Throws: when the text has a mistake, a method has no handler or a handler no method.
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
