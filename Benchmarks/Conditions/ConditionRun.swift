import BenchmarkSupport
import Foundation
import Glibc
import TestSupport

/// All measurements with the same workloads, in rounds.
struct ConditionRun: Sendable {
  /// The numbers of conditions, measured one after the other.
  var sizes = ExpectedAnswers.sizes

  /// How often each contender is measured.
  var rounds = 3

  /// The folder with the programs built from `Benchmarks/Peers`.
  var programs = ".build/peers"

  /// The outcome of a run.
  struct Outcome: Sendable {
    var measurements: [Measurement] = []

    /// The contenders that weren't measured, and why.
    var missing: [String: String] = [:]

    /// What failed, one line each.
    var failures: [String] = []
  }

  /// A set of circles with a number of them.
  private struct Case {
    let spread: Workload.Spread
    let count: Int
    var name: String { Workload.name(spread, count) }
  }

  /// Measures everything.
  ///
  /// - Parameters:
  ///   - tell: Called with what is being done.
  ///   - done: Called with each measurement.
  func play(tell: (String) -> Void, done: (Measurement) throws -> Void) async throws -> Outcome {
    var outcome = Outcome()
    let folder = try TemporaryFolder()
    // The user of PostgreSQL has to reach a folder inside.
    chmod(folder.path, 0o711)
    let cases = sizes.flatMap { count in
      Workload.Spread.allCases.map { Case(spread: $0, count: count) }
    }
    for one in cases {
      tell("Writing the workload \(one.name)")
      try Workload(one.spread, count: one.count).write(to: "\(folder.path)/\(one.name)")
    }
    let (ready, servers) = await prepare(in: folder.path, &outcome, tell)
    do {
      try await measure(cases, ready, servers, in: folder.path, &outcome, tell, done)
    } catch {
      for server in servers.values { await server.stop() }
      throw error
    }
    for server in servers.values { await server.stop() }
    withExtendedLifetime(folder) {}
    return outcome
  }

  /// Finds the programs that can be run, and starts the servers that they need.
  private func prepare(
    in folder: String, _ outcome: inout Outcome, _ tell: (String) -> Void
  ) async -> (ready: [Program], servers: [Program.Server: Server]) {
    var ready: [Program] = []
    var servers: [Program.Server: Server] = [:]
    for program in Program.all {
      do {
        guard access("\(programs)/\(program.name)", X_OK) == 0 else {
          throw BenchmarkFailure("it isn't built: it needs \(program.package)")
        }
        switch program.server {
        case .redis: servers[.redis] = try await Server.redis(in: folder)
        case .postgres: servers[.postgres] = try await Server.postgres(in: folder)
        case nil: break
        }
        ready.append(program)
      } catch {
        tell("\(program.name) is missing: \(error)")
        for contender in program.contenders { outcome.missing[contender] = "\(error)" }
      }
    }
    return (ready, servers)
  }

  private func measure(
    _ cases: [Case], _ ready: [Program], _ servers: [Program.Server: Server], in folder: String,
    _ outcome: inout Outcome, _ tell: (String) -> Void, _ done: (Measurement) throws -> Void
  ) async throws {
    /// Runs a program for a case, and keeps its results.
    func take(_ words: [String], _ name: String, _ one: Case, round: Int) async throws {
      try Task.checkCancellation()
      do {
        for result in try await Program.results(of: words) {
          let measurement = Measurement(
            round: round, spread: one.spread, count: one.count, result: result)
          outcome.measurements.append(measurement)
          try done(measurement)
        }
      } catch let failure as BenchmarkFailure {
        let line = "\(name), \(one.name): \(failure)"
        outcome.failures.append(line)
        tell(line)
      }
    }
    func words(_ program: Program, _ one: Case) -> [String] {
      ["\(programs)/\(program.name)", "\(folder)/\(one.name)"]
        + (program.server.flatMap { servers[$0] }?.arguments ?? [])
    }
    for program in ready where program.server != nil {
      for one in cases {
        tell("Loading \(one.name) into \(program.name)'s server")
        try await take(words(program, one) + ["load"], program.name, one, round: 0)
      }
    }
    for round in 1...rounds {
      for one in cases {
        tell("Round \(round) of \(rounds), \(one.name)")
        // The order changes from round to round, as the machine may slow down or speed up during a case.
        let shift = (round - 1) % (ready.count + 1)
        let order = [nil] + ready.map(Optional.some)
        for program in order[shift...] + order[..<shift] {
          if let program {
            try await take(words(program, one), program.name, one, round: round)
          } else {
            try await take(Self.engine(one.name), "geofenced", one, round: round)
          }
        }
      }
    }
  }

  /// The command that measures the engine: this program, in a process of its own like the others.
  private static func engine(_ name: String) -> [String] {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    return [program ?? CommandLine.arguments[0], "--engine", name]
  }
}
