import BenchmarkSupport
import Foundation
import Glibc
import TestSupport

/// A program that measures some contenders, and what it needs.
struct Program {
  /// A server that has to run beside it.
  enum Server { case redis, postgres }

  /// Its name in the folder of the built programs.
  let name: String

  /// The Debian package without which it isn't built.
  let package: String

  /// The server that it asks; what it loads stays there from round to round.
  var server: Server?

  /// Whose results it tells.
  let contenders: [String]

  /// All that are built from `Benchmarks/Peers`.
  static let all = [
    Program(
      name: "limit", package: "a processor with AVX2",
      contenders: ["limit-events", "limit-events-skip", "limit-stateless"]),
    Program(
      name: "compact", package: "a processor with AVX2",
      contenders: ["limit-compact", "limit-polygons"]),
    Program(name: "s2", package: "libs2-dev", contenders: ["s2-cell-index"]),
    Program(
      name: "geos", package: "libgeos-dev and libgeographiclib-dev",
      contenders: ["geos-strtree", "geos-polygons"]),
    Program(name: "sqlite", package: "libsqlite3-dev", contenders: ["sqlite-rtree"]),
    Program(
      name: "redis", package: "libhiredis-dev", server: .redis,
      contenders: ["redis-geosearch", "redis-pipelined", "redis-server"]),
    Program(
      name: "postgis", package: "libpq-dev", server: .postgres,
      contenders: [
        "postgis-circles", "postgis-circles-server", "postgis-polygons", "postgis-polygons-server",
      ]),
  ]

  /// After how many seconds a program is ended.
  private static let longestTime = 600

  /// Runs a program to its end and reads its lines.
  static func results(of words: [String]) async throws -> [Result] {
    let run = try await Command(["timeout", "-k", "5", "\(longestTime)"] + words).run()
    guard run.status == 0 else {
      let reason = run.errors.split(separator: "\n").first.map(String.init)
      throw BenchmarkFailure(
        reason ?? (run.status == 124 ? "no end after \(longestTime) s" : "it failed"))
    }
    return try run.lines.map { line in
      guard let result = try? JSONDecoder().decode(Result.self, from: Data(line.utf8)) else {
        throw BenchmarkFailure("it said '\(line)'")
      }
      return result
    }
  }
}
