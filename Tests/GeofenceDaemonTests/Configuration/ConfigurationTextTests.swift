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
      ("README.md", "boat", .otherNavigation, .seconds(60)),
      ("Docs/Guide.md", "van", .automotiveNavigation, .seconds(7 * 86_400)),
    ] as [(String, String, LiveConfiguration, Duration)])
  func `the drop-ins that the documents show are understood`(
    page: String, name: String, live: LiveConfiguration, unknownAfter: Duration
  ) throws {
    let text = try String(contentsOf: package.appending(path: page), encoding: .utf8)
    let block = try #require(
      text.components(separatedBy: "```ini\n").first { $0.contains("[Receiver]\n") })
    let shown = try #require(block.components(separatedBy: "```").first)
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
