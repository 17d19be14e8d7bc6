import Foundation
import GeofenceReport
import Geofencing
import TestSupport
import Testing

/// The page before a browser has seen it.
struct HTMLReportTests {
  @Test func `nothing that stands in a report becomes markup`() throws {
    var report = try Report.town()
    report.title = hostile
    report.origin = hostile
    report.remarks = [hostile]
    report.rejections[0].sentence = hostile
    report.events[0].sentences = [hostile]
    let page = try report.page
    #expect(page.components(separatedBy: "<script").count == 3)
    #expect(page.components(separatedBy: "</script").count == 3)
    #expect(page.components(separatedBy: "<img").count == 1)
    #expect(page.unicodeScalars.count { $0 == "\u{202E}" } == 0)
    #expect(page.components(separatedBy: "&lt;/script&gt;").count > 5)
  }

  @Test func `the policy names the script and the style of the page and nothing else`()
    async throws
  {
    let page = try Report.town().page
    for (text, element) in [(HTMLReport.script, "script"), (HTMLReport.style, "style")] {
      #expect(page.contains("<\(element)>\(text)</\(element)>"))
      let folder = try TemporaryFolder()
      let path = try folder.write(text.utf8, "part")
      let digest = try await Command([
        "sh", "-c",
        "python3 -c 'import base64, hashlib, sys; print(base64.b64encode("
          + "hashlib.sha256(open(sys.argv[1], \"rb\").read()).digest()).decode())' \(path)",
      ]).run()
      // After a change of report.js or report.css this is what has to stand in HTMLReport.
      #expect(
        HTMLReport.policy.contains("\(element)-src 'sha256-\(digest.output.dropLast())'"))
    }
    #expect(HTMLReport.policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
    for word in ["unsafe", "http", "*"] { #expect(!HTMLReport.policy.contains(word)) }
  }

  @Test func `the tables hold every event and every condition without a script`() throws {
    let report = try Report.town()
    let page = try report.page
    for event in report.events {
      #expect(page.contains("<td class=\"number\">#\(event.event.sequence)</td>"))
      #expect(page.contains("<p>Sentence two of \(event.event.sequence).</p>"))
    }
    for fence in report.fences {
      #expect(page.contains("<th scope=\"row\">\(fence.key.identifier)</th>"))
    }
    #expect(page.contains(" 12 vertices, up to 120 m above mean sea level"))
    #expect(page.contains("corridor 80 m wide, "))
    #expect(page.contains("<td class=\"number\">3</td><td>it was too far away</td>"))
  }

  @Test func `names say the monitor and the user where it takes that to tell them apart`() throws {
    var report = Report(title: "", origin: "")
    let here = try coordinate(1, 2)
    func fences(_ keys: [ConditionKey]) throws -> [Report.Fence] {
      try keys.map { Report.Fence(key: $0, condition: try circle(here, 100)) }
    }
    report.requested = try beginning()...(beginning() + .seconds(1))
    report.fences = try fences([key("home")])
    #expect(try report.page.contains(">home</th>"))
    report.fences = try fences([key("home"), key("home", monitor: "work")])
    #expect(try report.page.contains(">work/home</th>"))
    report.fences = try fences([key("home", user: 7), key("home", user: 8)])
    #expect(try report.page.contains(">home (uid 8)</th>"))
  }

  @Test func `a report of fixes of which none was used shows them, and the conditions`() throws {
    var report = try Report.town()
    (report.track, report.events) = ([], [])
    report.rejectionCounts = ["it was too far away": 12_345]
    let page = try report.page
    #expect(!page.contains("Nothing happened."))
    #expect(page.contains("12\u{202F}345 left out"))
    #expect(page.contains("<td class=\"number\">12\u{202F}345</td><td>it was too far away</td>"))
    #expect(!page.contains(" elsewhere."))
    #expect(try (report.picture["rejections"] as? [Any])?.isEmpty == false)
    #expect(try (report.picture["fences"] as? [Any])?.isEmpty == false)
  }

  @Test func `a refused date or place moves neither the time nor the map of a report`() throws {
    var report = try Report.town()
    let (span, fences) = (report.span, try (report.picture["fences"] as? [Any])?.count)
    var wrong = report.rejections[0]
    wrong.fix.timestamp = Timestamp(rfc3339: "2038-01-01T00:00:00Z")
    wrong.fix.coordinate = try coordinate(0, 0)
    report.rejections = [wrong]
    #expect(report.span == span)
    (report.track, report.events) = ([], [])
    #expect(try (report.picture["fences"] as? [Any])?.count == fences)
  }

  @Test func `a report of nothing is a page too`() throws {
    let page = try Report(title: "Nothing", origin: "There is no track.").page
    #expect(page.contains("There was no event."))
    #expect(page.contains("Nothing happened."))
  }

  @Test func `a day at one hertz becomes a small page that keeps stops and events`() throws {
    let start = try beginning()
    var report = Report(title: "A day", origin: "")
    var here = try coordinate(48, 11)
    var random = SplitMix64(seed: 5)
    for second in 0..<86_400 {
      let isDriving = second / 1800 % 3 == 1
      let speed = isDriving ? random.uniform(8...16) : random.uniform(0...0.3)
      here = here.moved(by: speed, bearing: Double(second / 300 * 77 % 360))
      report.track.append(
        Report.TrackPoint(
          timestamp: start + .seconds(second), coordinate: here, speed: speed,
          horizontalAccuracy: random.uniform(2...9)))
    }
    let bytes = try HTMLReport(report).encode().count
    #expect(bytes < 2_000_000, "\(bytes) bytes")
    let track = try #require(try report.picture["track"] as? [String: Any])
    let times = try #require(track["time"] as? [Int])
    #expect((2000...22_000).contains(times.count), "\(times.count) fixes are drawn")
    #expect(times.first == 0)
    #expect(times.last == 86_399_000)
    #expect(try report.page.contains("of 86\u{202F}400 fixes; what lies between"))
  }

  @Test func `fixes that come three a minute become a small page too`() throws {
    let start = try beginning()
    var report = Report(title: "Two weeks", origin: "")
    let here = try coordinate(48, 11)
    var random = SplitMix64(seed: 5)
    for number in 0..<60_000 {
      report.track.append(
        Report.TrackPoint(
          timestamp: start + .seconds(number / 3 * 60 + number % 3),
          coordinate: here.moved(by: Double(number), bearing: 90), speed: random.uniform(0...20),
          followsGap: number.isMultiple(of: 3)))
    }
    let track = try #require(try report.picture["track"] as? [String: Any])
    let times = try #require(track["time"] as? [Int])
    #expect((2000...22_000).contains(times.count), "\(times.count) fixes are drawn")
    #expect(times.last == 1_199_942_000)
    let gaps = try #require(track["gaps"] as? [Int])
    #expect((1000..<times.count).contains(gaps.count), "\(gaps.count) gaps")
  }

  @Test func `of ten thousand conditions those near the track are drawn and the others counted`()
    throws
  {
    var report = try Report.town()
    let near = report.fences.count
    let start = try #require(report.track.first)
    for index in 0..<10_000 {
      let center = start.coordinate.moved(by: 50_000 + Double(index) * 100, bearing: 10)
      report.fences.append(
        Report.Fence(key: key("far-\(index)"), condition: try circle(center, 100)))
      var transition = Transition(
        key: key("far-\(index)"), kind: .determined, state: .unsatisfied, previousState: .unknown,
        date: start.timestamp)
      transition.location = Location(timestamp: start.timestamp, coordinate: start.coordinate)
      report.events.append(
        Report.ExplainedEvent(
          event: Event(
            sequence: Int64(1000 + index), log: nil, recorded: nil, transition: transition),
          sentences: []))
    }
    let page = try report.page
    #expect(try (report.picture["fences"] as? [Any])?.count == near)
    #expect(try (report.picture["rows"] as? [Any])?.count == near)
    #expect(page.contains("10\u{202F}000 other conditions are not drawn."))
    #expect(page.contains("10\u{202F}000 events are not listed"))
    #expect(page.utf8.count < 500_000)
  }

  @Test func `conditions that are gone take no rows of the table`() throws {
    var report = try Report.town()
    let start = try #require(report.track.first)
    for index in 0..<600 {
      var transition = Transition(
        key: key("gone-\(index)"), kind: .entered, state: .satisfied, previousState: .unsatisfied,
        date: start.timestamp)
      transition.location = Location(timestamp: start.timestamp, coordinate: start.coordinate)
      let event = Event(
        sequence: Int64(1000 + index), log: nil, recorded: nil, transition: transition)
      report.events.append(Report.ExplainedEvent(event: event, sentences: []))
    }
    let page = try report.page
    let table = try #require(page.components(separatedBy: "<table class=\"conditions\">").last)
    let rows =
      table.components(separatedBy: "</table>")[0].components(separatedBy: "<tr>").count - 2
    #expect(rows == report.fences.count)
    #expect(!page.contains("elsewhere."))
  }

  @Test func `what something happened to is drawn, however many others are nearer`() throws {
    var report = try Report.town()
    let start = try #require(report.track.first)
    let here = start.coordinate
    for index in 0..<600 {
      let center = here.moved(by: Double(index % 50), bearing: Double(index % 360))
      report.fences.append(
        Report.Fence(key: key("a-\(index)"), condition: try circle(center, 50)))
    }
    let entered = key("z")
    report.fences.append(
      Report.Fence(key: entered, condition: try circle(here.moved(by: 20_000, bearing: 90), 50)))
    var transition = Transition(
      key: entered, kind: .entered, state: .satisfied, previousState: .unsatisfied,
      date: start.timestamp)
    transition.location = Location(timestamp: start.timestamp, coordinate: here)
    report.events.append(
      Report.ExplainedEvent(
        event: Event(sequence: 1000, log: nil, recorded: nil, transition: transition),
        sentences: []))
    let picture = try report.picture
    let names = try #require(picture["fences"] as? [[String: Any]]).map { $0["name"] as? String }
    #expect(names.count == 500)
    #expect(names.contains("z"))
    let others = report.fences.count - 500
    #expect(try report.page.contains("\(others) other conditions are not drawn."))
  }
}
