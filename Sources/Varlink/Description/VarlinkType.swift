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
