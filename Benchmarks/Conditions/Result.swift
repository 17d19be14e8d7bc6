/// What a program says of one way to ask, in a line of JSON (`Benchmarks/Peers/measure.h`).
///
/// What wasn't measured is nil.
struct Result: Codable, Equatable {
  /// Which way: the name of a ``Contender``.
  var name: String

  /// The library or server, with its version.
  var version: String

  /// What else is worth knowing; often empty.
  var note: String

  /// Seconds from the circles in memory to an index that answers.
  var build: Double?

  /// Bytes of the index and what it rests on.
  var memory: Double?

  /// Bytes of geofenced's index and states alone, names apart, as the engine counts them.
  var stateMemory: Double?

  /// Nanoseconds for a fix of the track, the first time and repeated.
  var firstTrack: Double?
  var track: Double?

  /// Nanoseconds for a device, alike.
  var firstDevices: Double?
  var devices: Double?

  /// The conditions that contain the first 2,000 fixes, and the first 1,000 devices, summed.
  var trackTotal: Int?
  var deviceTotal: Int?

  /// How often the whole track entered or left a condition.
  var events: Int?

  /// Nanoseconds of a change of one condition: half of them took less, and none took more.
  var changeMedian: Double?
  var changeWorst: Double?

  init(_ name: String, version: String, note: String = "") {
    self.name = name
    self.version = version
    self.note = note
  }
}

/// A result, and what it is a result of.
struct Measurement: Codable, Equatable {
  /// From 1; zero for what is measured once, before the first round.
  var round: Int
  var spread: Workload.Spread
  var count: Int
  var result: Result
}
