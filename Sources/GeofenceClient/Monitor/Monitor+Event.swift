public import FoundationEssentials

extension Monitor {
  /// Something that happened to a condition.
  ///
  /// ``log`` and ``sequence`` together identify it, unless an older copy of the service's database is put
  /// back: a program that must not act twice on what comes twice remembers them.
  ///
  /// It is coded under the names of its properties, without ``refinement``.
  public struct Event: Sendable, Hashable, Codable {
    /// Whether a condition holds, as far as is known.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
      /// Nothing has been determined yet, or no usable fix came for too long.
      case unknown

      /// The condition holds: the position is inside.
      case satisfied

      /// The condition doesn't hold: the position is outside.
      case unsatisfied

      /// The condition is no longer watched.
      case unmonitored
    }

    /// What happened.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// The state became known, for the first time or the same as when it was last known: nobody was seen to come
      /// or go.
      case determined

      /// The position came inside.
      case entered

      /// The position went outside.
      case exited

      /// The position passed through between two fixes outside; the state stays.
      case crossed

      /// No usable fix came for so long that the state isn't known any more.
      case undetermined

      /// The condition is no longer watched; nothing more will come from it.
      ///
      /// Where it was replaced, another one of its identifier is watched from now on.
      case unmonitored
    }

    /// Why a condition is no longer watched.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
      /// A program removed it.
      case removed

      /// A program put another one in its place.
      case replaced

      /// Its time was over.
      case expired
    }

    /// One stay inside, from the event that began it to the one that ends it.
    public struct Visit: Sendable, Hashable, Codable {
      /// A name that both events carry.
      public var id: String

      /// The time of the first fix inside.
      public var began: Date

      /// How long it took, less what the receiver's clock was set back meanwhile; nil while it lasts, and
      /// where nothing is left.
      ///
      /// Where the event that ends it has ``Monitor/Event/bounds``, it is the longest that it can have been; of kind
      /// `undetermined`, as long as fixes showed it.
      public var duration: Duration?

      /// When it ended, as far as ``duration`` says it; nil while it lasts.
      ///
      /// The event that ends it has the same ``Monitor/Event/date`` or a later one: by then the departure was sure, or
      /// nothing had been known for long.
      public var ended: Date? { duration.map { began + $0 / .seconds(1) } }

      /// A visit.
      public init(id: String, began: Date, duration: Duration? = nil) {
        self.id = id
        self.began = began
        self.duration = duration
      }

      private enum CodingKeys: CodingKey {
        case id, began, duration
      }

      /// Reads a visit whose duration is seconds.
      public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        began = try values.decode(Date.self, forKey: .began)
        duration = try values.decodeSeconds(forKey: .duration)
      }

      /// Writes the visit, its duration as seconds.
      public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(began, forKey: .began)
        try values.encodeSeconds(of: duration, forKey: .duration)
      }
    }

    /// Events that the log had to drop before this consumer read them.
    public struct Missed: Sendable, Hashable, Codable {
      /// The numbers of the first and of the last event that are gone, and of all between.
      public var sequences: ClosedRange<Int>

      /// How many of them were of this monitor; nil where nobody counted.
      public var count: Int?

      /// A range of events that are gone.
      public init(sequences: ClosedRange<Int>, count: Int? = nil) {
        self.sequences = sequences
        self.count = count
      }
    }

    /// The monitor's name; empty where a test made the event without one.
    public var monitor = ""

    /// The condition's identifier.
    public var identifier: String

    /// The state from now on; of kind `crossed` the same as before.
    ///
    /// Whether somebody came or went says ``Monitor/Event/kind-swift.property``: a state becomes unknown, and known
    /// again, also of a device that stays where it is.
    public var state: State

    /// The state until now.
    public var previousState: State

    /// What happened.
    public var kind: Kind

    /// The time of the fix that decided, or of the moment without one.
    public var date: Date

    /// The bounds between which it happened: always of kind `crossed`, and of `entered` and `exited` when
    /// something kept it from being seen.
    ///
    /// They may reach back behind the event before.
    public var bounds: ClosedRange<Date>?

    /// The fix that decided; nil where none did: of kinds `undetermined` and `unmonitored`.
    ///
    /// Of a fix, an event keeps the coordinate, altitude (above mean sea level), horizontal accuracy, speed
    /// and course, and whether it was simulated; its timestamp is ``date``, and its mode 3 where it has an
    /// altitude, else 2. All else is nil.
    public var location: Location?

    /// The distance in metres from ``location`` to the edge of the shape, negative inside; nil without one.
    ///
    /// Where the altitude decides, it is the distance to the bound of the band.
    public var distance: Double?

    /// The probability that the position was inside, 0 to 1; of kind `crossed`, that of having been inside
    /// on the way.
    ///
    /// Nil where no fix decided: of kinds `undetermined` and `unmonitored`.
    public var probability: Double?

    /// The stay that begins or ends with it; nil also of one that was only assumed.
    public var visit: Visit?

    /// Why the condition is no longer watched.
    public var reason: Reason?

    /// Whether the receiver was too inaccurate for so small a condition: even in its centre nothing
    /// could have been believed.
    public var accuracyLimited = false

    /// Its number, which grows from event to event of a log.
    public var sequence: Int

    /// The log that numbers it.
    public var log: String

    /// What was lost before this event; nil unless the log had to drop something unread.
    public var missed: Missed?

    private var refined: AnyCondition?

    private enum CodingKeys: CodingKey {
      case monitor, identifier, state, previousState, kind, date, bounds, location, distance
      case probability, visit, reason, accuracyLimited, sequence, log, missed
    }

    /// What a condition with wildcards met, as Core Location has it.
    ///
    /// Nil for geographic conditions, the only ones that a daemon watches.
    public var refinement: (any Condition)? {
      get { refined?.value }
      set { refined = newValue.map(AnyCondition.init) }
    }

    /// An event with what it must have, for tests; the rest can be set afterwards.
    public init(
      identifier: String, state: State, previousState: State = .unknown, kind: Kind, date: Date,
      sequence: Int = 0, log: String = ""
    ) {
      self.identifier = identifier
      self.state = state
      self.previousState = previousState
      self.kind = kind
      self.date = date
      self.sequence = sequence
      self.log = log
    }
  }
}
