internal import ControlInterface

/// One step of ``LocationUpdates``: a location, or why there is none.
public struct LocationUpdate: Sendable, Hashable, Codable {
  /// The fix; nil when none is available.
  ///
  /// In a loop it may be one that contradicts those before it, as a reflection does: no condition is judged by that.
  public var location: Location?

  /// The receiver is at rest, and has been for long enough for a pause.
  ///
  /// The last update before a pause says so; nothing more comes until the receiver moves. Where there
  /// are no pauses (`PauseMode=never`), each one says so for as long as the receiver is at rest.
  public var isStationary = false

  /// Fixes come, but too inaccurate to be used.
  public var accuracyLimited = false

  /// The user may not use the service; ``disconnection`` says who may.
  public var authorizationDenied = false

  /// The receiver can't be reached, or geofenced itself can't, also because the user has as many
  /// connections to it as are allowed.
  public var receiverDisconnected = false

  /// Why nothing is heard of a receiver, in one line for a person; also where it is only silent, and
  /// ``receiverDisconnected`` false.
  public var disconnection: String?

  /// How many updates were dropped before this one, because the program was slow.
  public var missedUpdates = 0

  /// No location is available at present, also where a receiver that was just turned on has none yet.
  public var locationUnavailable: Bool { location == nil }

  /// An update with a location, or without; the rest can be set afterwards.
  public init(location: Location?) {
    self.location = location
  }

  /// The same as ``LocationUpdates/liveUpdates(_:service:)``.
  public static func liveUpdates(
    _ configuration: LiveConfiguration? = nil, service: GeofenceService = .system
  ) -> LocationUpdates {
    .liveUpdates(configuration, service: service)
  }

  /// Where the receiver is, asked once: what is known, and else what is known within 20 seconds.
  ///
  /// Look at its timestamp: a location may be some minutes old where the receiver is at rest, and as old as
  /// `UnknownAfterSec=` while all that the receiver reports contradicts the last fix. For a newer one, begin a
  /// loop with a configuration of its own.
  ///
  /// Without a location the answer comes at once where conditions or sessions have the receiver in use and it has
  /// been heard of since, and otherwise within 20 seconds; these are real time in a simulation too.
  ///
  /// - Throws: ``MonitorError``, also where the user may not use the service or it is away, which a loop waits for; or
  ///   `CancellationError`.
  public static func current(service: GeofenceService = .system) async throws -> LocationUpdate {
    LocationUpdate(try await service.call(Locations.self, Locations.Parameters()))
  }
}
