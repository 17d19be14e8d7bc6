import Foundation
import TestSupport

/// The C program of the same shape: one process, gpsd's library, a grid of circles, a line of JSON;
/// nothing is stored.
struct EndToEnd {
  static let program = ".build/peers/end-to-end"

  /// What it prints, as far as it matters here; microseconds.
  private struct Line: Decodable {
    let p50: Double
    let p99: Double
  }

  let workload: String

  /// The program, if there is one and a workload for it.
  init?(workload: String?) {
    guard let workload, FileManager.default.isExecutableFile(atPath: Self.program) else {
      return nil
    }
    self.workload = workload
  }

  /// Its delays in one run.
  func delays() async throws -> (p50: Double, p99: Double) {
    let result = try await Command([Self.program, workload, "libgps"]).run()
    guard result.status == 0 else { throw MeasuredDaemon.Failure(description: result.errors) }
    let line = try JSONDecoder().decode(Line.self, from: Data(result.output.utf8))
    return (line.p50, line.p99)
  }
}
