import BenchmarkSupport
import Foundation
import Glibc
import TestSupport

/// A C program of the same structure: one process, gpsd's library, a grid of circles, a line of JSON.
///
/// It stores nothing.
final class MeasuredProgram {
  static let program = ".build/peers/end-to-end"

  /// Whether it was built.
  static var isBuilt: Bool { access(program, X_OK) == 0 }

  let driver: FixDriver
  private let child: Command.Child
  private let folder: TemporaryFolder

  /// Starts it with the same circles and the same kinds of sockets as the daemon.
  ///
  /// - Parameter processor: The processor on which it runs; nil is any.
  init(processor: Int?) async throws {
    folder = try TemporaryFolder()
    let gpsd = try PlayedGPSD()
    let events = folder.path + "/events"
    try Course.write(to: folder.path + "/B")
    // The program ends with its subscriber, and so with this process, however that ends.
    child = try Command([
      Self.program, folder.path + "/B", "serve", "\(gpsd.port)", events,
    ]).spawn(input: nil, output: STDERR_FILENO, errors: STDERR_FILENO)
    if let processor { try await pin(child.identifier, to: processor) }
    driver = try FixDriver(gpsd, eventsAt: events)
  }

  deinit { child.stop() }

  /// The parts of its output that are used here, in microseconds.
  private struct Line: Decodable {
    let p50: Double
    let p99: Double
  }

  /// Its own measurement of the same fixes over pairs of sockets, which cost less than TCP.
  static func ownDelays() async throws -> (p50: Double, p99: Double) {
    let folder = try TemporaryFolder()
    try Course.write(to: folder.path + "/B")
    let result = try await Command(["timeout", "60", program, folder.path + "/B"]).run()
    guard result.status == 0 else { throw BenchmarkFailure(result.errors) }
    withExtendedLifetime(folder) {}
    let line = try JSONDecoder().decode(Line.self, from: Data(result.output.utf8))
    return (line.p50, line.p99)
  }
}
