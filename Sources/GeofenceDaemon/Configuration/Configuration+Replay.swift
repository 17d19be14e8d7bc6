import CommandLineParsing

extension ConfigurationSection {
  /// The keys of `[Receiver]` that say which positions are used and how accurate they are.
  ///
  /// The others say how to reach gpsd.
  private static let replayedReceiverKeys: Set<String> = [
    "AccuracyMeaning", "DeviceAccuracyMeaning", "DefaultAccuracy", "DefaultVerticalAccuracy",
    "MaximumAccuracy", "MaximumSpeed", "MaximumAcceleration",
  ]

  /// The keys that matter when a recording is replayed, in the order of the manual.
  package static let replayedKeys: [ConfigurationKey] = all.flatMap { section in
    section.keys.filter { key in
      section.name == "Decision" || replayedReceiverKeys.contains(key.name)
    }
  }
}

extension Configuration {
  /// Why one key can't be set for a replay; one line.
  package struct AssignmentError: Error, CustomStringConvertible {
    package let description: String
  }

  /// Sets one of ``ConfigurationSection/replayedKeys`` as `Key=Value`; an empty value brings back the
  /// default.
  ///
  /// - Throws: when it isn't of this form, there is no such key, it has no effect on a recording, or
  ///   the value is out of range.
  package mutating func assign(_ assignment: String) throws(AssignmentError) {
    guard let equals = assignment.firstIndex(of: "=") else {
      throw AssignmentError(
        description: "wants KEY=VALUE, for example ExitSec=30s, got \(quoted(assignment))")
    }
    let name = String(assignment[..<equals])
    let value = String(assignment[assignment.index(after: equals)...])
    guard let key = ConfigurationSection.replayedKeys.first(where: { $0.name == name }) else {
      throw AssignmentError(description: Self.problem(withKey: name))
    }
    if let refusal = key.apply(value, to: &self) { throw AssignmentError(description: refusal) }
  }

  private static func problem(withKey name: String) -> String {
    if name == ConfigurationSection.liveConfiguration {
      return "\(name)= sets several keys at once; use --configuration for it"
    }
    if let section = ConfigurationSection.home(ofKey: name) {
      return "\(name)= of [\(section.name)] has no effect on a recording"
    }
    let names = ConfigurationSection.replayedKeys.map(\.name)
    let hint =
      nearestName(to: name, among: names).map { "did you mean \($0)=?" }
      ?? "use one of \(names.joined(separator: ", "))"
    return "there is no key \(quoted(name)): \(hint)"
  }
}
