/// One message of gpsd, as far as it means something here.
package enum GPSDMessage: Sendable, Hashable {
  /// A report of time, position and velocity, or of their errors alone; perhaps one of several for its epoch.
  case tpv(TPV)

  /// How many satellites are used, and seen.
  case sky(used: Int, seen: Int)

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
