import ControlInterface
import LinuxSystem
import TestSupport
import Varlink

@testable import GeofenceDaemon

extension ControlMethods {
  /// A server of these methods, which bears with a slow machine.
  func server() throws -> VarlinkServer {
    try VarlinkServer(
      interfaces: [interface()], faults: GeofencedInterface.name,
      information: VarlinkInformation(vendor: "v", product: "p", version: "1", url: "u"),
      limits: .patient)
  }
}

extension VarlinkServer {
  /// Serves at a path, and does something else besides, while the body runs.
  func run(
    at path: String, beside other: @escaping @Sendable () async throws -> Void = {},
    _ body: () async throws -> Void
  ) async throws {
    let listener = try ListeningSocket(path: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await run(on: listener) }
      group.addTask { try await other() }
      defer { group.cancelAll() }
      try await body()
    }
  }
}

/// The short name of the error that a call ends with; nil when it succeeds.
func errorName(_ body: () async throws -> some Any) async throws -> String? {
  do {
    _ = try await body()
    return nil
  } catch let error as VarlinkError {
    return error.name.split(separator: ".").last.map(String.init)
  }
}
