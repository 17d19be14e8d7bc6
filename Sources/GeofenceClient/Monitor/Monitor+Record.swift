extension Monitor {
  /// A condition and what is known of it.
  public struct Record: Sendable, Hashable {
    /// Whether the condition holds at present.
    public var state: Event.State

    /// The last event that was logged, apart from those of kind `crossed`; nil before the first.
    ///
    /// In a loop over events it is the event at hand already, or a later one: what was before says
    /// ``Event/previousState``.
    public var lastEvent: Event?

    /// Whether the receiver is too inaccurate for so small a condition, or, before the first fix, would be at its
    /// best: even in its centre nothing could be believed.
    public var accuracyLimited: Bool

    private var watched: AnyCondition

    /// The condition that is watched.
    public var condition: any Condition {
      get { watched.value }
      set { watched = AnyCondition(value: newValue) }
    }

    /// A record.
    public init(
      condition: any Condition, state: Event.State = .unknown, lastEvent: Event? = nil,
      accuracyLimited: Bool = false
    ) {
      watched = AnyCondition(value: condition)
      self.state = state
      self.lastEvent = lastEvent
      self.accuracyLimited = accuracyLimited
    }
  }
}
