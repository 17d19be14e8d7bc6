import Foundation
import GeofenceReport
import Geofencing
import TestSupport
import Testing

/// The page in a real browser: Chromium without a window, driven by `browse.py` beside this file.
///
/// One after the other, as each takes a few hundred megabytes.
@Suite(.serialized) struct BrowserTests {
  private static let desktop = Step.view(width: 1280, height: 800)
  private static let phone = Step.view(width: 360, height: 740, touch: true)

  /// The explanation that is shown, without its heading.
  private static let explained =
    Step.read("[...document.querySelectorAll('#explained p')].map(p => p.textContent).join('|')")
  private static let title = Step.read("document.querySelector('#explanation-title').textContent")

  private static func count(_ selector: String) -> Step {
    .read("document.querySelectorAll(\"\(selector)\").length")
  }

  private func visit(_ report: Report, _ steps: [Step]) async throws -> [Value] {
    guard
      try await Command(["sh", "-c", "command -v chromium && command -v python3"]).run().status == 0
    else { try Test.cancel("chromium or python3 isn't installed") }
    let folder = try TemporaryFolder()
    let page = try folder.write(try HTMLReport(report).encode(), "report.html")
    try JSONSerialization.data(withJSONObject: steps.map(\.object))
      .write(to: URL(filePath: folder.path + "/steps.json"))
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "browse.py")
    let result = try await Command([
      "sh", "-c", "exec timeout -k 5 500 python3 \"$1\" \"$2\" <\"$3\"", "sh",
      script.path(percentEncoded: false), page, folder.path + "/steps.json",
    ]).run()
    try #require(result.status == 0, "\(result.errors)")
    let visit = try JSONDecoder().decode(Visit.self, from: Data(result.output.utf8))
    // Nothing but itself, and not a word of complaint, whatever is done with it.
    #expect(visit.requests == [URL(filePath: page).absoluteString])
    #expect(visit.problems == [])
    return visit.values
  }

  @Test func `of conditions without a row the one that is pointed at is lit, and no other`()
    async throws
  {
    var report = try Report.town()
    let start = try #require(report.track.first).coordinate
    for index in 0..<320 {
      let center = start.moved(by: 400 + Double(index), bearing: Double(index) * 7)
      report.fences.append(
        Report.Fence(key: key("near-\(index)"), condition: try circle(center, 5)))
    }
    let lit = Self.count(".fence.on")
    let out = Step.read(
      """
      [0, 1].map(() => {
        const groups = [...document.querySelectorAll('.fence')];
        const lit = groups.map((group) => {
          group.dispatchEvent(new PointerEvent('pointerenter'));
          const on = groups.filter((other) => other.classList.contains('on'));
          return on.length === 1 && on[0] === group;
        });
        groups[0].dispatchEvent(new PointerEvent('pointerleave'));
        return lit.filter((isAlone) => isAlone).length;
      })[0]
      """)
    let values = try await visit(report, [Self.desktop, lit, out, lit])
    #expect(values == [0, .init(integerLiteral: report.fences.count), 0])
  }

  /// Most lie beside the track, whose fixes are said where the map is pointed at.
  @Test func `why a fix was left out is said where its cross is pointed at`() async throws {
    let report = try Report.town()
    let said = Step.read(
      """
      [0, 1].map(() => {
        const cross = document.querySelector('.rejected');
        const at = { clientX: 0, clientY: 0, bubbles: true, pointerId: 1 };
        const box = cross.getBoundingClientRect();
        [at.clientX, at.clientY] = [box.x + box.width / 2, box.y + box.height / 2];
        cross.dispatchEvent(new PointerEvent('pointerenter', at));
        cross.dispatchEvent(new PointerEvent('pointermove', at));
        return document.querySelector('#readout').textContent;
      })[0]
      """)
    let values = try await visit(report, [Self.desktop, said])
    guard case .text(let text) = try #require(values.first) else { throw TestFailure("\(values)") }
    let rejection = try #require(report.rejections.first)
    #expect(text.hasSuffix("left out: \(rejection.sentence)"), "\(text)")
  }

  @Test func `times are of the clocks of the report wherever they stand`() async throws {
    var report = try Report.town()
    report.zone = TimeZone { _ in 20_820 }
    let event = try #require(report.events.first { $0.event.sequence == 2 }).event
    let time = event.transition.date.readable(in: report.zone)
    let values = try await visit(
      report,
      [
        Self.desktop, .point(".events tbody tr:nth-child(2) .why"),
        .read("document.querySelector('#explained .when').textContent.split(',')[0]"),
        .read("document.querySelector('.events tbody tr:nth-child(2) .time').textContent"),
        .read("+document.querySelector('.span').textContent.includes(' UTC+05:47 ')"),
        // In steps of minutes that are full by these clocks.
        .view(width: 360, height: 740, dark: false, touch: false),
        .read("[...document.querySelectorAll('.axis span')].find(s => s.textContent).textContent"),
      ])
    #expect(values.prefix(3) == [.text("\(time) UTC+05:47"), .text(time), 1])
    #expect(values[3] == "13:50")
  }

  @Test(arguments: [
    (width: 1280, height: 800, dark: false, touch: false), (1280, 800, true, false),
    (360, 740, false, true), (360, 740, true, true), (3840, 2160, false, false),
  ])
  func `every condition and event is there on screens of any kind, and nothing sticks out`(
    width: Int, height: Int, dark: Bool, touch: Bool
  ) async throws {
    let report = try Report.town()
    let values = try await visit(
      report,
      [
        .view(width: width, height: height, dark: dark, touch: touch),
        Self.count(".fence"), Self.count(".marks .event"), Self.count("#rows .row"),
        Self.count("#rows .mark"), Self.count(".events tbody tr"),
        Self.count(".conditions tbody tr"), Self.count("path.rejected"), Self.count(".doubt"),
        Self.count(".track path"), Self.count("*"),
        .read("document.documentElement.scrollWidth - \(width)"),
        .read("Math.round(document.querySelector('#map').getBoundingClientRect().height)"),
        .read("getComputedStyle(document.body).backgroundColor"),
      ])
    let (fences, events) = (report.fences.count, report.events.count)
    #expect(fences == 7)
    #expect(events >= 12)
    #expect(
      values.prefix(7).map(\.number)
        == [fences, events, fences, events, events, fences, 4].map(Double.init))
    #expect(values[7].number == Double(events))
    // The whole track in a handful of elements: a path for each colour, and what lies below.
    #expect((2...9).contains(values[8].number))
    #expect(values[9].number < 1500)
    #expect(values[10].number <= 0)
    #expect(values[11].number > 200)
    #expect(values[12].text == (dark ? "rgb(17, 22, 28)" : "rgb(255, 255, 255)"))
  }

  @Test func `pointing at an event explains it, on the map, in the states and in the table`()
    async throws
  {
    let values = try await visit(
      try Report.town(),
      [
        Self.desktop, Self.title,
        .point(".marks .event[data-event='4']"), Self.title, Self.explained,
        .point("#rows .row:nth-child(3) .mark:last-child"), Self.title,
        .point(".events tbody tr:nth-child(2) .why"), Self.title, Self.explained,
        Self.count(".on"), Self.count(".marks .event.on"), Self.count(".mark.on"),
        Self.count(".doubt.on"), Self.count(".fence.on"), Self.count(".events tr.on"),
      ])
    #expect(values[0] == "Events")
    // Of events in one place the one on top is pointed at.
    let number = try #require(values[1].text.split(separator: "#").last)
    #expect(values[2].text.contains("Sentence one of \(number).|Sentence two of \(number)."))
    #expect(values[3].text.hasPrefix("Event #"))
    #expect(values[3] != values[1])
    #expect(values[4] == "Event #2")
    #expect(values[5].text.contains("Sentence one of 2.|Sentence two of 2."))
    #expect(values.dropFirst(7).map(\.number) == [1, 1, 1, 1, 1])
  }

  @Test func `keys reach every event and move the map`() async throws {
    let report = try Report.town()
    let transform = Step.read("document.querySelector('#map > g').getAttribute('transform')")
    let focus = Step.read("document.activeElement.getAttribute('aria-label')")
    let tabs = Array(repeating: Step.key("Tab"), count: 2)
    let values = try await visit(
      report,
      [Self.desktop] + tabs
        + [
          focus, transform, .key("+"), transform, .key("ArrowLeft"), transform, .key("0"),
          transform, .key("n"), .key("n"), Self.title,
          .read("document.querySelector('.events button').focus()"), Self.title,
          .key("ArrowDown"), .key("ArrowDown"), Self.title, Self.explained,
          .key("End"), Self.title,
          .read("document.querySelector('#rows .mark[tabindex=\"0\"]').focus()"),
          .key("ArrowLeft"), Self.title, .key("Home"), Self.title,
          .read("getComputedStyle(document.activeElement).outlineStyle"),
        ])
    let texts = values.map(\.text)
    #expect(texts[0].hasPrefix("Map of the track"))
    #expect(Set(texts[1...3]).count == 3)
    #expect(texts[4] == texts[1])
    #expect(texts[5] == "Event #2")
    #expect(texts[7] == "Event #1")
    #expect(texts[8] == "Event #3")
    #expect(texts[9].contains("Sentence one of 3."))
    let events = report.events.count
    #expect(texts[10] == "Event #\(events)")
    #expect(texts[12] == "Event #\(events - 1)")
    #expect(texts[13] == "Event #1")
    #expect(texts[14] == "solid")
  }

  @Test func `a track of one fix is a dot, whatever its colour`() async throws {
    var report = try Report.town()
    report.track.removeLast(report.track.count - 1)
    let dot = Self.count(".track circle")
    let values = try await visit(
      report, [Self.desktop, dot, .press("input[value=accuracy]"), dot])
    #expect(values == [1, 1])
  }

  @Test func `a finger explains an event, and the colours can be those of accuracy`() async throws {
    let values = try await visit(
      try Report.town(),
      [
        Self.phone, .tap("#rows .mark"), Self.title,
        .tap(".marks .event[data-event='3']"), Self.title, Self.explained,
        .read("document.querySelector('#ramp').textContent"),
        .tap("input[value=accuracy]"), .read("document.querySelector('#ramp').textContent"),
        .tap("[data-step='1']"), Self.title,
      ])
    // It begins in the place of the first row, which the first fix tells of behind the others.
    #expect(values[0] == "Event #5")
    #expect(values[1].text.hasPrefix("Event #"))
    #expect(values[2].text.contains("Sentence two of"))
    #expect(values[3].text.hasSuffix("+ km/h"))
    #expect(values[4].text.hasSuffix("+ m"))
    #expect(values[5].text.hasPrefix("Event #"))
  }

  @Test func `what names and sentences say stays text`() async throws {
    var report = try Report.town()
    report.title = hostile
    report.rejections[0].sentence = hostile
    report.events[1].sentences = [hostile]
    let values = try await visit(
      report,
      [
        Self.desktop, .point(".events tbody tr:nth-child(2) .why"), Self.explained,
        .read("document.title"), Self.count("img"), Self.count("script"),
      ])
    let shown = hostile.replacingOccurrences(of: "\u{202E}", with: "\u{FFFD}")
    #expect(values[0].text.hasSuffix("|" + shown))
    #expect(values[1].text == shown)
    #expect(values[2] == 0)
    #expect(values[3] == 2)
  }

  @Test func `it can be printed, and without conditions or events it is a page too`() async throws {
    let folder = try TemporaryFolder()
    let pdf = folder.path + "/report.pdf"
    _ = try await visit(try Report.town(), [Self.desktop, .print(pdf)])
    let printed = try Data(contentsOf: URL(filePath: pdf))
    #expect(printed.starts(with: Array("%PDF-".utf8)))
    #expect(printed.count > 20_000)
    let empty = try await visit(
      Report(title: "Nothing", origin: "No track."), [Self.phone, Self.count(".fence")])
    #expect(empty == [0])
    let still = try await visit(
      .journey(.parked(seed: 1)), [Self.phone, Self.count(".marks .event"), Self.count(".fence")])
    #expect(still == [2, 2])
  }

  @Test func `a day at one hertz is a handful of elements`() async throws {
    var report = try Report.journey(.cityDrive(seed: 3))
    let lap = report.track
    let start = try beginning()
    report.track = (0..<86_400).map { second in
      var point = lap[second % lap.count]
      point.timestamp = start + .seconds(second)
      return point
    }
    let values = try await visit(
      report, [Self.desktop, Self.count("*"), Self.count(".track path")])
    #expect(values[0].number < 1500)
    #expect(values[1].number < 10)
  }
}
