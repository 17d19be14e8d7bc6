import Foundation
import GeofenceDaemon
import Geofencing
import Positioning
import TestSupport
import Testing

struct ConfigurationTextTests {
  /// The folder of the package, in which the generated files are.
  private let package = URL(filePath: SystemBox.repository)

  @Test func `the example file without its number signs is the default configuration`() throws {
    let example = ConfigurationTexts.renderExampleFile()
    let isKey = { (line: Substring) in line.hasPrefix("#") && !line.hasPrefix("# ") }
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false)
    let uncommented = lines.map { isKey($0) ? $0.dropFirst() : $0 }.joined(separator: "\n")
    #expect(lines.count(where: isKey) == ConfigurationSection.all.flatMap(\.keys).count)
    let (configuration, issues) = try ConfigurationFolder(uncommented).load()
    #expect(issues == [])
    #expect(configuration == Configuration())
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `every key stands once in the example file and in the manual page`() {
    let example = ConfigurationTexts.renderExampleFile()
    let manual = ConfigurationTexts.renderManualPage()
    let names = ConfigurationSection.all.flatMap(\.keys).map(\.name)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(example.components(separatedBy: "\n#\(name)=").count == 2, "\(name)")
      #expect(manual.components(separatedBy: "\n\\fB\(name)=\\fR\n").count == 2, "\(name)")
    }
  }

  @Test(
    arguments: [
      ("boat", .otherNavigation, .seconds(60)),
      ("van", .automotiveNavigation, .seconds(7 * 86_400)),
    ] as [(String, LiveConfiguration, Duration)])
  func `the drop-ins that the guide shows are understood`(
    name: String, live: LiveConfiguration, unknownAfter: Duration
  ) throws {
    let guide = try String(contentsOf: package.appending(path: "Docs/Guide.md"), encoding: .utf8)
    let blocks = guide.components(separatedBy: "```ini\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    let shown = try #require(
      blocks.first { $0.contains("\nLiveConfiguration=\(live.rawValue)\n") })
    let (configuration, lines) = try ConfigurationFolder("", dropIns: ["\(name).conf": shown])
      .load()
    #expect(lines == [])
    var expected = Configuration()
    expected.apply(live)
    expected.pause.mode = .updates
    expected.decision.unknownAfter = unknownAfter
    expected.positioning.longestSilence = max(unknownAfter, expected.positioning.longestSilence)
    #expect(configuration == expected)
  }

  @Test func `the files in the package are up to date`() throws {
    let example = package.appending(path: "config/geofenced.conf")
    let manual = package.appending(path: "Manual/geofenced.conf.5")
    #expect(
      try String(contentsOf: example, encoding: .utf8) == ConfigurationTexts.renderExampleFile())
    #expect(
      try String(contentsOf: manual, encoding: .utf8) == ConfigurationTexts.renderManualPage())
  }
}
