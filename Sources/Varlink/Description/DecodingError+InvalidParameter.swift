extension DecodingError {
  /// The error that tells a caller which parameter is wrong, and how.
  var asInvalidParameter: VarlinkError {
    switch self {
    case .keyNotFound(let key, let context):
      return .invalidParameter(at: steps(context.codingPath + [key]), "is missing")
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      // The decoder doesn't say where it is.
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

/// The steps within the parameters, which are a member of the message unless they were absent.
private func steps(_ path: [any CodingKey]) -> [ParameterStep] {
  (path.first?.stringValue == "parameters" ? path.dropFirst() : path[...])
    .map { $0.intValue.map(ParameterStep.element) ?? .member($0.stringValue) }
}
