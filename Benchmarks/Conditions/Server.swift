import BenchmarkSupport
import Foundation
import Glibc
import TestSupport

/// An empty Redis or PostgreSQL that runs for the time of a run.
///
/// It is reached only by a Unix socket, and stores data only in its own folder.
final class Server: Sendable {
  /// The arguments by which a program reaches the server, after the folder of the workload.
  let arguments: [String]
  private let child: Command.Child
  private let end: CInt

  private init(_ words: [String], log: String, end: CInt, arguments: (Int32) -> [String]) throws {
    let output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw BenchmarkFailure("\(log) can't be written") }
    defer { close(output) }
    child = try Command(words).spawn(input: nil, output: output, errors: output)
    self.end = end
    self.arguments = arguments(child.identifier)
  }

  /// Starts Redis, which keeps nothing on disk.
  static func redis(in folder: String) async throws -> Server {
    try require("redis-server", package: "redis-server")
    let socket = folder + "/redis.sock"
    let log = folder + "/redis.log"
    let server = try Server(
      ["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no"],
      log: log, end: SIGTERM
    ) { [socket, "\($0)"] }
    try await server.awaitFile(socket, log: log)
    return server
  }

  /// Starts PostgreSQL; if this process is root, which may not run it, as the user that Debian made for it.
  static func postgres(in folder: String) async throws -> Server {
    let programs = try newestPostgres()
    guard isPostGISInstalled(beside: programs) else {
      throw BenchmarkFailure("PostGIS isn't installed: install postgresql-postgis")
    }
    let home = folder + "/postgres"
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: nil)
    var asUser: [String] = []
    if getuid() == 0 {
      guard let user = getpwnam("postgres")?.pointee else {
        throw BenchmarkFailure("there is no user 'postgres'")
      }
      chown(home, user.pw_uid, user.pw_gid)
      asUser = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"]
    }
    let data = home + "/data"
    let made = try await Command(
      asUser + [
        programs + "/initdb", "-D", data, "--username=bench", "--auth=trust", "--no-sync",
        "--encoding=UTF8", "--locale=C.UTF-8",
      ]
    ).run()
    guard made.status == 0 else {
      throw BenchmarkFailure("initdb: \(made.errors)")
    }
    let log = folder + "/postgres.log"
    // Durability isn't measured here, and would make loading slower.
    let server = try Server(
      asUser + [
        programs + "/postgres", "-D", data, "-k", home, "-c", "listen_addresses=", "-c",
        "shared_buffers=1GB", "-c", "maintenance_work_mem=512MB", "-c", "max_wal_size=4GB", "-c",
        "fsync=off", "-c", "autovacuum=off",
      ], log: log, end: SIGINT
    ) { _ in ["host=\(home) user=bench dbname=postgres"] }
    try await server.awaitFile(home + "/.s.PGSQL.5432", log: log)
    return server
  }

  /// Ends the server and waits for its end.
  func stop() async {
    kill(child.identifier, end)
    _ = await child.end()
  }

  private func awaitFile(_ path: String, log: String) async throws {
    for _ in 0..<300 {
      if access(path, F_OK) == 0 { return }
      if child.status() != nil { break }
      try await Task.sleep(for: .milliseconds(100))
    }
    await stop()
    let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    throw BenchmarkFailure(
      "it doesn't start: \(said.split(separator: "\n").last ?? "it says nothing")")
  }

  private static func require(_ program: String, package: String) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    guard path.split(separator: ":").contains(where: { access("\($0)/\(program)", X_OK) == 0 })
    else { throw BenchmarkFailure("it isn't installed: install \(package)") }
  }

  /// The folder with the programs of the newest PostgreSQL, which isn't in Debian's `PATH`.
  private static func newestPostgres() throws -> String {
    let root = "/usr/lib/postgresql"
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [])
      .compactMap { Int($0) }.sorted()
    guard let newest = versions.last(where: { access("\(root)/\($0)/bin/postgres", X_OK) == 0 })
    else { throw BenchmarkFailure("it isn't installed: install postgresql") }
    return "\(root)/\(newest)/bin"
  }

  private static func isPostGISInstalled(beside programs: String) -> Bool {
    let version = programs.split(separator: "/").dropLast().last ?? ""
    return access("/usr/share/postgresql/\(version)/extension/postgis.control", F_OK) == 0
  }
}
