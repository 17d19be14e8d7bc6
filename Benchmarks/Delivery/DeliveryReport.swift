import BenchmarkSupport
import JSONCoding

/// The text of measurements, for people and for programs.
enum DeliveryReport {
  private static let columns = ["delay 50 %", "95 %", "answer 50 %", "95 %", "memory"]

  /// What stands above all lines.
  static func heading(_ run: DeliveryRun) -> String {
    let kinds = Subscriber.Kind.allCases.map { kind in
      "\(run.kinds.count { $0 == kind }) \(kind.rawValue)"
    }
    return """
      \(run.subscribers) subscribers: \(kinds.joined(separator: ", "))
      \(run.events) events in each measurement, \(DeliveryRun.rate) a second

      """ + row("", columns)
  }

  /// One measurement.
  static func line(_ measurement: Measurement) -> String {
    row(
      "\(measurement.round)  \(measurement.hasSlowOnes ? "with slow ones" : "without")",
      [
        milliseconds(measurement.delays.quantile(0.5)),
        milliseconds(measurement.delays.quantile(0.95)),
        milliseconds(measurement.answers.quantile(0.5)),
        milliseconds(measurement.answers.quantile(0.95)),
        "\(decimal(Double(measurement.memory) / 1024, places: 2)) MiB",
      ])
  }

  /// All measurements with slow subscribers beside all without.
  static func comparison(_ measurements: [Measurement]) -> String {
    let (with, without) = (
      measurements.filter(\.hasSlowOnes), measurements.filter { !$0.hasSlowOnes }
    )
    func ratio(_ values: (Measurement) -> [Duration], _ share: Double) -> String {
      let reference = without.flatMap(values).quantile(share)
      guard reference > .zero else { return "-" }
      return decimal(with.flatMap(values).quantile(share) / reference, places: 2)
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

  /// One measurement as a JSON object on a line, with times in milliseconds.
  static func json(_ measurement: Measurement) throws -> String {
    func figure(_ values: [Duration], _ share: Double) -> Double {
      values.quantile(share) / .milliseconds(1)
    }
    return try CanonicalJSON.text(
      Figures(
        round: measurement.round, slow: measurement.hasSlowOnes,
        delayMedian: figure(measurement.delays, 0.5), delay95: figure(measurement.delays, 0.95),
        answerMedian: figure(measurement.answers, 0.5),
        answer95: figure(measurement.answers, 0.95), memoryKiB: measurement.memory)) + "\n"
  }

  private static func row(_ name: String, _ values: [String]) -> String {
    let cells = values.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }
    return name + String(repeating: " ", count: max(1, 20 - name.count)) + cells.joined() + "\n"
  }

  private static func milliseconds(_ duration: Duration) -> String {
    decimal(duration / .milliseconds(1), places: 2) + " ms"
  }
}
