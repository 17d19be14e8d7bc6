/// A step on the way to a value within the parameters of a message.
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
  /// The error that names a parameter and says what is wrong with it.
  static func invalidParameter(at path: [ParameterStep], _ problem: String) -> VarlinkError {
    let name = path.parameterName
    let what = name.isEmpty ? "what is given as parameters" : "parameter '\(name)'"
    return .invalidParameter(name, message: "\(what) \(problem)")
  }
}
