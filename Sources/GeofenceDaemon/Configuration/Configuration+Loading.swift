import CommandLineParsing
import Geofencing
import Positioning

extension Configuration {
  /// The path of the configuration unless another one is given.
  package static let defaultPath = "/etc/geofenced/geofenced.conf"

  /// How many issues are told at most.
  static let maximumIssues = 100

  /// A configuration, nil if it has errors, and what its author should know about it.
  package typealias Loaded = (configuration: Configuration?, issues: [ConfigurationIssue])

  /// Reads the main file, its drop-ins and what systemd says about directories.
  ///
  /// Later files and later lines win. All issues are told at once, in the order of the files and their lines; if
  /// there are too many, only errors. With an error there is no configuration. Without a path the default one is
  /// read, and then it may be missing. Drop-ins are the files `*.conf` in the directory of the path's name with
  /// `.d`, sorted by name.
  package static func load(
    from path: String? = nil, environment: [String: String] = [:]
  ) -> Loaded {
    var loading = Loading()
    loading.readFiles(path ?? defaultPath, mayBeMissing: path == nil)
    loading.applyLiveConfiguration()
    loading.checkTogether()
    loading.apply(environment)
    var issues = loading.issues
    let errors = issues.filter { $0.severity == .error }
    if issues.count > maximumIssues, !errors.isEmpty { issues = errors }
    return (
      errors.isEmpty ? loading.configuration : nil, Array(issues.prefix(maximumIssues))
    )
  }

  /// Whether there are drop-ins of ``defaultPath``; they are read even if that file is missing.
  package static var hasDropIns: Bool {
    get throws(ConfigurationIssue) { try !ConfigurationFiles.dropIns(of: defaultPath).isEmpty }
  }
}

/// The state of reading one file after the other.
private struct Loading {
  var configuration = Configuration()
  var issues: [ConfigurationIssue] = []
  /// Where each key was set last, by its name.
  private var places: [String: (file: String, line: Int)] = [:]
  /// The keys whose last assignment isn't empty.
  private var given: Set<String> = []

  mutating func readFiles(_ path: String, mayBeMissing: Bool) {
    if !readFile(path) {
      // A link without a target isn't a missing file: the target may be on a disk that isn't mounted yet.
      if ConfigurationFiles.isLink(path) {
        issues.append(ConfigurationIssue(.error, file: path, "the link leads nowhere"))
      } else if !mayBeMissing {
        issues.append(ConfigurationIssue(.error, file: path, "there is no such file"))
      }
    }
    do {
      for dropIn in try ConfigurationFiles.dropIns(of: path) where !readFile(dropIn) {
        if ConfigurationFiles.isLink(dropIn) {
          issues.append(
            ConfigurationIssue(.warning, file: dropIn, "the link leads nowhere: it is left out"))
        }
        // A drop-in that was removed since the directory was listed doesn't count. One whose name isn't
        // UTF-8 is there still, but can't be opened by the repaired name.
        guard dropIn.contains("\u{FFFD}") else { continue }
        issues.append(
          ConfigurationIssue(.error, file: dropIn, "the name isn't UTF-8: rename the file"))
      }
    } catch {
      issues.append(error)
    }
  }

  /// Takes the directories that systemd made for the service instead of those that the files name.
  mutating func apply(_ environment: [String: String]) {
    apply(
      environment, "STATE_DIRECTORY", to: \.storage.stateDirectory, of: "StateDirectory",
      longest: 3_000)
    apply(
      environment, "RUNTIME_DIRECTORY", to: \.socket.runtimeDirectory, of: "RuntimeDirectory",
      longest: 90)
  }

  /// Takes the numbers of the live configuration where no line says otherwise.
  mutating func applyLiveConfiguration() {
    var row = Configuration()
    row.apply(configuration.receiver.live)
    // A number that has no key.
    configuration.stationary.height = row.stationary.height
    configuration.decision.creepingSpeed = row.decision.creepingSpeed
    // All other keys have the default in both.
    for key in ConfigurationSection.all.flatMap(\.keys) where !given.contains(key.name) {
      key.copy(from: row, to: &configuration)
    }
  }

  /// Checks rules that concern several keys.
  mutating func checkTogether() {
    let gpsd = configuration.receiver.gpsd
    if gpsd.shortestDelay > gpsd.longestDelay {
      let place = places["ReconnectMinSec"] ?? places["ReconnectMaxSec"]
      issues.append(
        ConfigurationIssue(
          .error, file: place?.file ?? "", line: place?.line,
          """
          ReconnectMinSec= is \(gpsd.shortestDelay.timeSpan), more than \
          ReconnectMaxSec= with \(gpsd.longestDelay.timeSpan)
          """))
    }
    let (probe, unknown) = (configuration.pause.probeInterval, configuration.decision.unknownAfter)
    if configuration.pause.mode == .receiver, probe >= unknown {
      let place = places["PauseProbeSec"] ?? places["UnknownAfterSec"]
      issues.append(
        ConfigurationIssue(
          .warning, file: place?.file ?? "", line: place?.line,
          """
          PauseProbeSec= is \(probe.timeSpan), not less than UnknownAfterSec= with \
          \(unknown.timeSpan): states become unknown during a pause
          """))
    }
  }

  /// Reads one file; false when there is none.
  private mutating func readFile(_ path: String) -> Bool {
    do {
      guard let bytes = try ConfigurationFiles.read(path) else { return false }
      read(INIFile(bytes), path)
    } catch {
      issues.append(error)
    }
    return true
  }

  private mutating func read(_ contents: INIFile, _ file: String) {
    let earlier = issues.count
    issues += contents.mistakes.map { mistake in
      ConfigurationIssue(.error, file: file, line: mistake.line, mistake.message)
    }
    var unknownSections: Set<Int> = []
    for assignment in contents.assignments {
      if let section = ConfigurationSection.all.first(where: { $0.name == assignment.section }) {
        assign(assignment, in: section, file)
      } else if assignment.section.isEmpty {
        issues.append(
          ConfigurationIssue(
            .error, file: file, line: assignment.line,
            "\(quoted(assignment.key)) stands before the first section"
              + hint(Self.home(of: assignment), "it belongs to")))
      } else if unknownSections.insert(assignment.sectionLine).inserted {
        let near = nearestName(
          to: assignment.section, among: ConfigurationSection.all.map(\.name))
        issues.append(
          ConfigurationIssue(
            .ignored, file: file, line: assignment.sectionLine,
            "unknown section \(quoted(assignment.section))"
              + hint(near.map { "[\($0)]?" }, "did you mean") + ", ignoring it"))
      }
    }
    issues[earlier...].sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private mutating func assign(
    _ assignment: INIFile.Assignment, in section: ConfigurationSection, _ file: String
  ) {
    guard let key = section.keys.first(where: { $0.name == assignment.key }) else {
      let near = nearestName(to: assignment.key, among: section.keys.map(\.name))
      let correction =
        if let home = Self.home(of: assignment) {
          hint(home, "it belongs to")
        } else {
          hint(near.map { "\($0)=?" }, "did you mean")
        }
      issues.append(
        ConfigurationIssue(
          .ignored, file: file, line: assignment.line,
          "unknown key \(quoted(assignment.key)) in [\(section.name)]\(correction), ignoring it"))
      return
    }
    places[key.name] = (file, assignment.line)
    if assignment.value.isEmpty {
      given.remove(key.name)
    } else {
      given.insert(key.name)
    }
    guard let refusal = key.apply(assignment.value, to: &configuration) else { return }
    issues.append(ConfigurationIssue(.error, file: file, line: assignment.line, refusal))
  }

  private mutating func apply(
    _ environment: [String: String], _ name: String,
    to path: WritableKeyPath<Configuration, String>, of key: String, longest: Int
  ) {
    // systemd lists several directories with colons between; the first is the service's own.
    guard let first = environment[name]?.split(separator: ":").first else { return }
    let directory = String(first)
    guard ConfigurationKey.isAbsolutePath(directory, longest: longest) else {
      issues.append(
        ConfigurationIssue(
          .error, file: "$\(name)",
          "this wants an absolute path of at most \(longest) bytes, got \(quoted(directory))"))
      return
    }
    if given.contains(key), configuration[keyPath: path] != directory {
      issues.append(
        ConfigurationIssue(
          .warning, file: places[key]?.file ?? "", line: places[key]?.line,
          "\(key)= isn't used: $\(name), which is \(directory), overrides it"))
    }
    configuration[keyPath: path] = directory
  }

  /// The section where a key belongs, in brackets; nil where none has it.
  private static func home(of assignment: INIFile.Assignment) -> String? {
    ConfigurationSection.home(ofKey: assignment.key).map { "[\($0.name)]" }
  }

  private func hint(_ name: String?, _ words: String) -> String {
    name.map { " (\(words) \($0))" } ?? ""
  }
}
