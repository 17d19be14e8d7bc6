public import FoundationEssentials

/// What a ``Monitor`` can watch for: one type for each kind.
///
/// Only the kinds of this library can be watched; ``Monitor/add(_:identifier:assuming:)`` and its like refuse
/// others with ``MonitorError/conditionUnsupported(_:)``.
public protocol Condition: Sendable, Hashable, Codable {
  /// How sure and how long, and until when; the same for all kinds.
  var options: ConditionOptions { get set }
}

/// What can be said about any condition.
///
/// What is nil is left to the service's configuration; but without ``expires`` a condition doesn't end by itself.
public struct ConditionOptions: Sendable, Hashable, Codable {
  /// How long it must have held before `entered` is told, 0 to a day.
  public var enterAfter: Duration?

  /// How long it must not have held before `exited` is told, 0 to a day.
  public var exitAfter: Duration?

  /// The probability from which it is believed, 0.5 to 0.9999.
  public var confidence: Double?

  /// When the condition ends by itself, to the millisecond: in the future, and not after 2262-04-11; nil is never.
  ///
  /// What has expired can't be added again: ``Monitor/add(_:identifier:assuming:)`` then throws
  /// ``MonitorError/conditionInvalid(_:)``.
  public var expires: Date?

  /// Options; those that aren't given are left to the service.
  public init(
    enterAfter: Duration? = nil, exitAfter: Duration? = nil, confidence: Double? = nil,
    expires: Date? = nil
  ) {
    self.enterAfter = enterAfter
    self.exitAfter = exitAfter
    self.confidence = confidence
    self.expires = expires
  }
}

extension ConditionOptions {
  private enum CodingKeys: CodingKey {
    case enterAfter, exitAfter, confidence, expires
  }

  /// Reads options whose durations are seconds.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    enterAfter = try values.decodeSeconds(forKey: .enterAfter)
    exitAfter = try values.decodeSeconds(forKey: .exitAfter)
    confidence = try values.decodeIfPresent(Double.self, forKey: .confidence)
    expires = try values.decodeIfPresent(Date.self, forKey: .expires)
  }

  /// Writes the options, the durations as seconds.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeSeconds(of: enterAfter, forKey: .enterAfter)
    try values.encodeSeconds(of: exitAfter, forKey: .exitAfter)
    try values.encodeIfPresent(confidence, forKey: .confidence)
    try values.encodeIfPresent(expires, forKey: .expires)
  }
}

extension Condition {
  /// How long it must have held before `entered` is told, 0 to a day; nil leaves it to the service's configuration.
  public var enterAfter: Duration? {
    get { options.enterAfter }
    set { options.enterAfter = newValue }
  }

  /// How long it must not have held before `exited` is told, 0 to a day; nil leaves it to the service's
  /// configuration.
  public var exitAfter: Duration? {
    get { options.exitAfter }
    set { options.exitAfter = newValue }
  }

  /// The probability from which it is believed, 0.5 to 0.9999; nil leaves it to the service's configuration.
  public var confidence: Double? {
    get { options.confidence }
    set { options.confidence = newValue }
  }

  /// When the condition ends by itself: in the future, and not after 2262-04-11; nil is never.
  public var expires: Date? {
    get { options.expires }
    set { options.expires = newValue }
  }
}

/// Any condition, so that what holds one can be compared.
struct AnyCondition: Sendable, Hashable {
  let value: any Condition

  static func == (a: AnyCondition, b: AnyCondition) -> Bool {
    AnyHashable(a.value) == AnyHashable(b.value)
  }

  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
