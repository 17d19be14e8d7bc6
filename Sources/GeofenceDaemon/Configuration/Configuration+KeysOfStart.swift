extension Configuration {
  /// What to say after a reload of the keys that it leaves alone; nil where they are as at the start.
  func noticeOfStart(insteadOf running: Configuration) -> String? {
    let names = ConfigurationSection.keysOfStart.filter { !$0.isEqual(in: self, and: running) }
      .map { "\($0.name)=" }
    guard let last = names.last else { return nil }
    return names.count == 1
      ? "\(last) is taken at the next start"
      : "\(names.dropLast().joined(separator: ", ")) and \(last) are taken at the next start"
  }
}
