package import Geofencing

/// An instant so many seconds after the tests begin.
package func at(_ seconds: Double) -> Timestamp {
  Timestamp(nanoseconds: 1_767_225_600_000_000_000) + .milliseconds(Int64(seconds * 1000))
}
