/// What a source of fixes tells the pipeline.
package enum SourceEvent: Sendable, Hashable {
  /// A report, perhaps one of several for the same epoch.
  case tpv(TPV)

  /// How many satellites a receiver uses and sees, by its name if it has one.
  case sky(of: String? = nil, used: Int, seen: Int)

  /// Nothing more is expected for the epoch that a receiver has begun, by its name if it has one.
  case epochComplete(of: String? = nil)

  /// The source can be reached; the text says what answers (`gpsd 3.22`).
  case connected(String)

  /// The receivers that the source has, by name.
  case devices([String])

  /// The source is reached, but nothing came for too long.
  case silent

  /// The source is lost; the text says why. It will be tried again.
  case disconnected(String)
}

/// Something that fixes come from: gpsd, or a recording.
///
/// A loop gets the events from then on, a recording's from its beginning; leaving the loop stops the source.
package protocol LocationSource: AsyncSequence, Sendable
where Element == SourceEvent, Failure == Never {
  /// Whether the next event is at hand, so that nothing has to be waited for.
  ///
  /// - Parameter iterator: The one that is asked; nil has nothing. It isn't changed, and is `inout` so that it isn't
  ///   copied.
  func hasMore(_ iterator: inout AsyncIterator?) -> Bool
}

extension LocationSource {
  package func hasMore(_ iterator: inout AsyncIterator?) -> Bool { false }
}
