import Geofencing

/// The fixes of an explanation as lines: those that were judged, and those that were left out.
enum EvidenceText {
  static func lines(_ explanation: Explanation, in zone: TimeZone) -> [String] {
    judged(explanation, zone) + leftOut(explanation.evidence, zone)
  }

  private static func judged(_ explanation: Explanation, _ zone: TimeZone) -> [String] {
    let hasAltitudes = explanation.evidence.contains { $0.altitude != nil }
    var table = Table(
      ["TIME", "ACCURACY", "DISTANCE", "SIGMA"] + (hasAltitudes ? ["ALTITUDE"] : [])
        + ["P(INSIDE)", "VERDICT"])
    for fix in explanation.evidence {
      guard let verdict = fix.verdict else { continue }
      let probability = fix.probability.map {
        Quantity.probability($0, below: explanation.confidence, explanation.confidenceAtRest)
      }
      var cells = [
        fix.timestamp?.text(in: zone) ?? "-", Quantity.accuracy(fix.horizontalAccuracy),
        fix.distance.map(Quantity.distance) ?? "-", fix.sigma.map(Quantity.metres) ?? "-",
      ]
      if hasAltitudes { cells.append(fix.altitudeText ?? "-") }
      table.add(cells + [probability ?? "-", verdict.rawValue])
    }
    let lines = table.render(withTitles: true).split(separator: "\n").map(String.init)
    return lines.isEmpty ? [] : ["", "Fixes that were judged:"] + lines
  }

  /// Several fixes in a row that were left out for the same reason.
  private struct Row {
    var first: Timestamp?
    var last: Timestamp?
    var count: Int
    var accuracy: Double?
    let code: String

    func line(_ zone: TimeZone) -> String {
      var line = first?.text(in: zone) ?? "at an unknown time"
      if count > 1 {
        line += last.map { " to \($0.text(in: zone))" } ?? ""
        line += ", \(count) fixes"
      }
      let accuracy = accuracy.map { ", \(Quantity.accuracy($0))" } ?? ""
      return line + ": \(RejectionText.sentence(code)) (\(code)\(accuracy))"
    }
  }

  private static func leftOut(_ evidence: [Explanation.Evidence], _ zone: TimeZone) -> [String] {
    var rows: [Row] = []
    var isRow = false
    for fix in evidence {
      guard let code = fix.rejection else {
        isRow = false
        continue
      }
      let count = fix.count ?? 1
      if isRow, let last = rows.last, last.code == code {
        rows[rows.endIndex - 1].last = fix.timestamp
        rows[rows.endIndex - 1].count &+= count
        rows[rows.endIndex - 1].accuracy = fix.horizontalAccuracy
      } else {
        rows.append(
          Row(
            first: fix.timestamp, last: fix.timestamp, count: count,
            accuracy: fix.horizontalAccuracy, code: code))
      }
      isRow = true
    }
    return rows.isEmpty ? [] : ["", "Fixes that were left out:"] + rows.map { $0.line(zone) }
  }
}

extension Explanation.Evidence {
  /// The altitude by which a band was judged, and its accuracy: `431 m with σ 12 m`; nil without one.
  var altitudeText: String? {
    altitude.map { altitude in
      Quantity.metres(altitude) + (verticalSigma.map { " with σ \(Quantity.metres($0))" } ?? "")
    }
  }
}
