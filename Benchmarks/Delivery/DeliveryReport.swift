import BenchmarkSupport
import JSONCoding

/// The measurements as text, for people and for programs.
enum DeliveryReport {
  private static let columns = ["delay 50 %", "95 %", "answer 50 %", "95 %", "memory"]

  /// The heading above all lines.
  static func heading(_ run: DeliveryRun) -> String {
    let kinds = Subscriber.Kind.allCases.map { kind in
      "\(run.kinds.count { $0 == kind }) \(kind.rawValue)"
    }
    return """
      \(run.subscribers) subscribers: \(kinds.joined(separator: ", "))
      \(run.events) events in each measurement, \(DeliveryRun.rate) a second

      """ + row("", columns)
  }

  /// The line of one measurement.
  static func line(_ measurement: Measurement) -> String {
    row(
      "\(measurement.round)  \(measurement.hasSlowOnes ? "with slow ones" : "without")",
      [
        text(measurement.delays, 0.5), text(measurement.delays, 0.95),
        text(measurement.answers, 0.5), text(measurement.answers, 0.95),
        "\(decimal(Double(measurement.memory) / 1024, places: 2)) MiB",
      ])
  }

  /// All measurements with slow subscribers, compared with all without.
  static func comparison(_ measurements: [Measurement]) -> String {
    let (with, without) = (
      measurements.filter(\.hasSlowOnes), measurements.filter { !$0.hasSlowOnes }
    )
    func ratio(_ values: (Measurement) -> [Duration], _ share: Double) -> String {
      guard let reference = without.flatMap(values).quantile(share), reference > .zero,
        let value = with.flatMap(values).quantile(share)
      else { return "-" }
      return decimal(value / reference, places: 2)
    }
    let growth = (measurements.last?.memory ?? 0) - (measurements.first?.memory ?? 0)
    return row(
      "with / without",
      [
        ratio(\.delays, 0.5), ratio(\.delays, 0.95), ratio(\.answers, 0.5), ratio(\.answers, 0.95),
        "\(growth < 0 ? "" : "+")\(decimal(Double(growth) / 1024, places: 2)) MiB",
      ])
  }

  private struct Figures: Encodable {
    let round: Int
    let slow: Bool
    let delayMedian: Double
    let delay95: Double
    let answerMedian: Double
    let answer95: Double
    let memoryKiB: Int
  }

  /// One measurement as a line of JSON, with times in milliseconds.
  static func json(_ measurement: Measurement) throws -> String {
    try CanonicalJSON.text(
      Figures(
        round: measurement.round, slow: measurement.hasSlowOnes,
        delayMedian: milliseconds(measurement.delays, 0.5),
        delay95: milliseconds(measurement.delays, 0.95),
        answerMedian: milliseconds(measurement.answers, 0.5),
        answer95: milliseconds(measurement.answers, 0.95), memoryKiB: measurement.memory)) + "\n"
  }

  private static func row(_ name: String, _ values: [String]) -> String {
    let cells = values.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }
    return name + String(repeating: " ", count: max(1, 20 - name.count)) + cells.joined() + "\n"
  }

  private static func text(_ values: [Duration], _ share: Double) -> String {
    decimal(milliseconds(values, share), places: 2) + " ms"
  }

  private static func milliseconds(_ values: [Duration], _ share: Double) -> Double {
    (values.quantile(share) ?? .zero) / .milliseconds(1)
  }
}
