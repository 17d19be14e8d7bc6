/// The result of a program for one contender, printed as a line of JSON (`Benchmarks/Peers/measure.h`).
///
/// Figures that weren't measured are nil.
struct Result: Codable, Equatable {
  /// The name of the ``Contender``.
  var name: String

  /// The library or server, with its version.
  var version: String

  /// Anything else worth knowing; often empty.
  var note: String

  /// Seconds from the circles in memory to an index that answers.
  var build: Double?

  /// The memory of the index and all that it needs, in bytes.
  var memory: Double?

  /// The memory of geofenced's index and states in bytes, without names, as the engine counts it.
  var stateMemory: Double?

  /// Nanoseconds for a fix of the track: in the first pass, and in repeated ones.
  var firstTrack: Double?
  var track: Double?

  /// The same for a device.
  var firstDevices: Double?
  var devices: Double?

  /// The number of conditions that contain a position, summed over the first 2,000 fixes and the first 1,000 devices.
  var trackTotal: Int?
  var deviceTotal: Int?

  /// How often the whole track entered or left a condition.
  var events: Int?

  /// Nanoseconds for a change of one condition: the median and the largest.
  var changeMedian: Double?
  var changeWorst: Double?

  init(_ name: String, version: String, note: String = "") {
    self.name = name
    self.version = version
    self.note = note
  }
}

/// A result, with its round and workload.
struct Measurement: Codable, Equatable {
  /// The round, counted from 1; 0 for what is measured once, before the first round.
  var round: Int
  var spread: Workload.Spread
  var count: Int
  var result: Result
}
