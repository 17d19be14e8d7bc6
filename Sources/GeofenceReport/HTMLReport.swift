import Geofencing
import JSONCoding

/// A report as one page that needs nothing else: no server, no network, no other file.
///
/// Its policy allows the browser to use the page's own script and style and to fetch nothing, so that neither
/// positions nor anything else can leave it. Without scripts, the tables are still there.
package struct HTMLReport {
  private let report: Report
  private let states: [Report.StateRow]
  private let picture: Picture

  package init(_ report: Report) {
    self.report = report
    states = report.stateRows
    picture = Picture(report)
  }

  /// The page's `Content-Security-Policy`, with the digests of its own script and style.
  package static let policy =
    "default-src 'none'; script-src '\(scriptDigest)'; style-src '\(styleDigest)'; "
    + "base-uri 'none'; form-action 'none'"

  /// `sha256-` and the digest of ``script`` in base 64.
  private static let scriptDigest = "sha256-GQg+t1vn0XfE12RfwHFu4t/HMeLYn+LdcBc9MzECswo="

  /// `sha256-` and the digest of ``style`` in base 64.
  private static let styleDigest = "sha256-n5bH1pziDzOcfw1GJ02PlVHaxS+QLDhep7Yds72BJmc="

  /// The script that draws the picture, and reacts to mouse, finger and keyboard.
  package static var script: String { String(decoding: PackageResources.report_js, as: UTF8.self) }

  /// The style on paper and on screens of any size, light or dark.
  package static var style: String { String(decoding: PackageResources.report_css, as: UTF8.self) }

  /// The page, in UTF-8.
  ///
  /// - Throws: `EncodingError` if a number isn't finite, which doesn't happen with a receiver's fixes.
  package func encode() throws -> [UInt8] {
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="geofenced">
      <title>\(report.title.html)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <a class="skip" href="#events">Go to the events</a>
      <header>
      <h1>\(report.title.html)</h1>
      \(lead)
      </header>
      <main>

      """
    text += Self.pictureFrame
    text += eventTable + fenceTable + rejectionTable
    text += """
      </main>
      <footer>
      \(notes)
      <p>All times are \(picture.clocks). This page holds positions: whoever has it knows where somebody was. \
      It is complete in itself and asks nobody for anything.</p>
      </footer>
      <script type="application/json" id="data">
      """
    // "</script>" and "<!--" in a text would end the data or hide the rest of the page.
    text += try CanonicalJSON.text(picture).replacing("<", with: "\\u003c")
    text += "</script>\n<script>\(Self.script)</script>\n</body>\n</html>\n"
    return Array(text.utf8)
  }

  // MARK: Parts

  private var lead: String {
    var counts = [
      "\(report.track.count.counted("fix", "fixes"))",
      "\(report.fences.count.counted("condition", "conditions"))",
      "\(report.events.count.counted("event", "events"))",
    ]
    let rejected = rejectionCounts.values.reduce(0, +)
    if rejected > 0 { counts.insert("\(rejected.grouped) left out", at: 1) }
    let span =
      report.span.map { span in
        let (first, last) = (
          span.lowerBound.readable(in: report.zone), span.upperBound.readable(in: report.zone)
        )
        // The same day isn't written twice.
        let end = first.prefix(10) == last.prefix(10) ? String(last.dropFirst(11)) : last
        return "<p class=\"span\"><time datetime=\"\(span.lowerBound.rfc3339)\">\(first)</time> to "
          + "<time datetime=\"\(span.upperBound.rfc3339)\">\(end)</time> \(picture.clocks) "
          + "<span class=\"soft\">(\((span.upperBound - span.lowerBound).readable))</span></p>"
      } ?? "<p class=\"span\">Nothing happened.</p>"
    return span + "\n<p class=\"counts\">" + counts.joined(separator: " · ") + "</p>"
  }

  /// The origin of the track and the remarks, as paragraphs.
  private var notes: String {
    var sentences = [report.origin] + report.remarks
    let undrawn = report.fences.count - picture.fences.count
    if undrawn > 0 {
      let others = undrawn.counted("other condition", "other conditions")
      sentences.append(
        "The map shows the conditions near the track; \(others) "
          + (undrawn == 1 ? "is not drawn." : "are not drawn."))
    }
    if report.track.count > picture.track.x.count {
      sentences.append(
        "The line on the map goes through \(picture.track.x.count.grouped) of "
          + "\(report.track.count.grouped) fixes; what lies between wouldn't be seen.")
    }
    return sentences.map { "<p>\($0.html)</p>" }.joined(separator: "\n")
  }

  private var eventTable: String {
    var text = "<section id=\"events\">\n<h2>Events</h2>\n"
    guard !report.events.isEmpty else {
      return text + "<p class=\"soft\">There was no event.</p>\n</section>\n"
    }
    if !picture.events.isEmpty { text += eventRows }
    let unlisted = report.events.count - picture.events.count
    if unlisted > 0 {
      let events = unlisted.counted("event is", "events are")
      text +=
        "<p class=\"soft\">\(events) not listed: conditions elsewhere were found to be outside."
        + "</p>\n"
    }
    return text + "</section>\n"
  }

  private var eventRows: String {
    let naming = report.naming
    var text = """
      <table class="events">
      <thead><tr><th scope="col">No.</th><th scope="col">Time</th><th scope="col">What</th>\
      <th scope="col">Condition</th><th scope="col">Why</th></tr></thead>
      <tbody>

      """
    for explained in report.events where picture.shows(explained.event.transition.key) {
      let transition = explained.event.transition
      let date = transition.date
      text += """
        <tr data-kind="\(transition.kind.rawValue)">\
        <td class="number">#\(explained.event.sequence)</td>\
        <td class="time"><time datetime="\(date.rfc3339)">\(date.readable(in: report.zone))</time></td>\
        <td class="kind">\(Self.words(for: transition).html)</td>\
        <th scope="row">\(naming.name(of: transition.key).html)</th>\
        <td class="why">\(explained.sentences.map { "<p>\($0.html)</p>" }.joined())</td></tr>

        """
    }
    return text + "</tbody>\n</table>\n"
  }

  private static func words(for transition: Transition) -> String {
    var words = transition.kind.rawValue
    if transition.kind == .determined {
      words += transition.state == .satisfied ? " inside" : " outside"
    }
    if transition.location?.isSimulated == true { words += " (simulated)" }
    return words
  }

  /// How many rows a table has at most; the rest is only counted.
  private static let rowLimit = 500

  private var fenceTable: String {
    guard !report.fences.isEmpty else { return "" }
    let naming = report.naming
    let known = Dictionary(report.fences.map { ($0.key, $0) }) { first, _ in first }
    let isShort = report.fences.count <= Self.rowLimit
    let shown = states.filter { isShort || picture.shows($0.key) }
    var text = """
      <section id="conditions">
      <h2>Conditions</h2>
      <table class="conditions">
      <thead><tr><th scope="col">Condition</th><th scope="col">Shape</th>\
      <th scope="col">State at the end</th></tr></thead>
      <tbody>

      """
    var count = 0
    for row in shown where count < Self.rowLimit {
      guard let fence = known[row.key] else { continue }
      count += 1
      let state = row.spans.last?.state ?? fence.state ?? .unknown
      text += """
        <tr><th scope="row">\(naming.name(of: row.key).html)</th>\
        <td>\(fence.condition.summary.html)</td><td>\(state.rawValue)</td></tr>

        """
    }
    text += "</tbody>\n</table>\n"
    let others = report.fences.count - count
    if others > 0 {
      text += "<p class=\"soft\">And \(others.counted("other", "others")) elsewhere.</p>\n"
    }
    return text + "</section>\n"
  }

  /// How many fixes were left out, by reason.
  private var rejectionCounts: [String: Int] {
    report.rejectionCounts
      ?? Dictionary(report.rejections.map { ($0.sentence, $0.fix.count) }, uniquingKeysWith: +)
  }

  private var rejectionTable: String {
    let counts = rejectionCounts
    guard !counts.isEmpty else { return "" }
    var text = """
      <section id="rejected">
      <h2>Fixes that were left out</h2>
      <table>
      <thead><tr><th scope="col">Fixes</th><th scope="col">Why</th></tr></thead>
      <tbody>

      """
    for (sentence, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      text += "<tr><td class=\"number\">\(count.grouped)</td><td>\(sentence.html)</td></tr>\n"
    }
    return text + "</tbody>\n</table>\n</section>\n"
  }
}
