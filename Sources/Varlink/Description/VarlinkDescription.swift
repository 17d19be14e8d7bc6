/// An interface description, read from its text.
package struct VarlinkDescription: Sendable {
  /// A method's parameters and the parameters of its replies.
  struct Method: Sendable {
    let input: VarlinkType
    let output: VarlinkType
  }

  /// The interface's name, for example `org.varlink.service`.
  package let name: String

  /// The text, as callers get it.
  package let text: String

  let types: [String: VarlinkType]
  let methods: [String: Method]
  let errors: [String: VarlinkType]

  /// Checks the parameters of a message against their type.
  ///
  /// - Throws: a ``VarlinkError`` that names the first parameter that is unknown, missing or of the wrong type.
  func checkParameters(of message: [UInt8], against type: VarlinkType) throws(VarlinkError) {
    do {
      try ParameterCheck.check(message, against: type, types: types)
    } catch let error as VarlinkError {
      throw error
    } catch {
      throw .invalidParameter("", message: "\(error)")
    }
  }
}

/// The type of a value in an interface description.
indirect enum VarlinkType: Hashable, Sendable {
  case bool
  case int
  case float
  case string
  case object
  case array(VarlinkType)
  case map(VarlinkType)
  case optional(VarlinkType)
  case enumeration([String])
  case structure([Field])
  case named(String)

  /// A member of a structure.
  struct Field: Hashable, Sendable {
    let name: String
    let type: VarlinkType
  }

  var isOptional: Bool {
    if case .optional = self { true } else { false }
  }
}

/// A mistake in an interface description, or a mismatch with its methods.
package struct VarlinkDescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the text, counted from 1; nil if the text itself is well formed.
  package let line: Int?
  package let problem: String

  package var description: String {
    if let line { "line \(line): \(problem)" } else { problem }
  }
}
