/// One message of gpsd, as far as it means something here.
package enum GPSDMessage: Sendable, Hashable {
  /// A report of time, position and velocity, or of their errors alone; perhaps one of several for its epoch.
  case tpv(TPV)

  /// How many satellites are used, and seen.
  case sky(of: String? = nil, used: Int, seen: Int)

  /// The banner: the release of the gpsd that answers, `3.22`.
  case version(String)

  /// The receivers that gpsd has, by name.
  case devices([String])

  /// A receiver was opened, or closed.
  case device(String, activated: Bool)

  /// The answer to `?WATCH`.
  case watch

  /// gpsd couldn't do what it was asked; the text says why.
  case error(String)

  /// A well-formed message of another class.
  case other
}

extension [String] {
  /// Adds a receiver that was opened, or removes one that was closed; false where that changes nothing.
  mutating func note(_ receiver: String, isActivated: Bool) -> Bool {
    // More than anybody has: without a limit a broken gpsd could fill the memory.
    guard isActivated != contains(receiver), !isActivated || count < 64 else { return false }
    if isActivated { append(receiver) } else { removeAll { $0 == receiver } }
    return true
  }
}

/// Gets each line of gpsd that is a message, without the line's end, and what it means.
///
/// It is called between two reports, so it may neither block nor take long.
package typealias RawLineTap = @Sendable (_ line: [UInt8], _ message: GPSDMessage) -> Void
