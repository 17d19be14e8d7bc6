import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Varlink

extension DaemonProcess {
  /// Makes an event for each number: a condition that is added and removed.
  ///
  /// - Parameter name: that of the monitor and of each condition, if they shall have one.
  func happen(_ numbers: ClosedRange<Int>, as name: String? = nil) async throws {
    let connection = try await connect()
    let circle = try Shapes.circle(latitude: 47, longitude: 8)
    for number in numbers {
      let identifier = name ?? "c\(number)"
      try await connection.call(
        Add.self,
        Add.Parameters(
          monitor: name, identifier: identifier, condition: circle, assuming: .satisfied))
      try await connection.call(Remove.self, ConditionName(monitor: name, identifier: identifier))
    }
  }

  /// The consumers that have a name.
  func consumers() async throws -> [NamedConsumer] {
    try await ctl("consumer", "list", "--json").lines.map {
      try JSONDecoder().decode(NamedConsumer.self, from: Data($0.utf8))
    }
  }

  /// Waits until the first consumer that has a name is there, and as it shall be.
  func waitForConsumer(
    _ purpose: String = "such consumer", _ isFulfilled: (NamedConsumer) -> Bool = { _ in true }
  ) async throws {
    try await wait(for: purpose) { try await consumers().prefix(1).first(where: isFulfilled) }
  }
}

/// The numbers of events as programs see them.
func sequences(_ lines: [String]) throws -> [Int64] {
  try lines.map { try event($0).sequence }
}
