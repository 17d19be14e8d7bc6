import BenchmarkSupport
import Foundation
import Glibc
import TestSupport

/// A program that measures some contenders, with its requirements.
struct Program {
  /// A server that has to run for the program.
  enum Server { case redis, postgres }

  /// The file name in the folder of the built programs.
  let name: String

  /// The Debian package that is needed to build it.
  let package: String

  /// The server that it uses; what is loaded into the server stays there from round to round.
  var server: Server?

  /// The contenders whose results it prints.
  let contenders: [String]

  /// All programs built from `Benchmarks/Peers`.
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

  /// The number of seconds after which a program is ended.
  private static let longestTime = 600

  /// Runs a program to its end and reads the results that it prints.
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
