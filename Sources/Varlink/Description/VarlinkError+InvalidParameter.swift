/// A step on the path to a value in the parameters of a message.
enum ParameterStep {
  case member(String)
  case element(Int)
}

extension [ParameterStep] {
  /// The name of a parameter as people write it, for example `points[2].latitude`.
  var parameterName: String {
    reduce(into: "") { text, step in
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let index): text += "[\(index)]"
      }
    }
  }
}

extension VarlinkError {
  /// An error that names a parameter by its path and says what is wrong with it.
  static func invalidParameter(at path: [ParameterStep], _ problem: String) -> VarlinkError {
    let name = path.parameterName
    let what = name.isEmpty ? "what is given as parameters" : "parameter '\(name)'"
    return .invalidParameter(name, message: "\(what) \(problem)")
  }
}

extension DecodingError {
  /// An error that tells a caller which parameter is wrong, and how.
  var asInvalidParameter: VarlinkError {
    switch self {
    case .keyNotFound(let key, let context):
      return .invalidParameter(at: steps(context.codingPath + [key]), "is missing")
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      // The decoder doesn't tell the place in this case.
      return .invalidParameter(
        "",
        message:
          "a text can't be read, or a number is out of range, or isn't whole, as in a user below 0")
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      return .invalidParameter(
        at: steps(context.codingPath), "is not valid: \(context.debugDescription)")
    @unknown default:
      return .invalidParameter("", message: "the parameters are not valid")
    }
  }
}

/// The path within the parameters: the message's member `parameters` is left out.
private func steps(_ path: [any CodingKey]) -> [ParameterStep] {
  (path.first?.stringValue == "parameters" ? path.dropFirst() : path[...])
    .map { $0.intValue.map(ParameterStep.element) ?? .member($0.stringValue) }
}
