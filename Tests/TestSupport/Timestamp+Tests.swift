package import Geofencing

/// The instant so many seconds after a fixed one, the beginning of 2026.
package func at(_ seconds: Double) -> Timestamp {
  Timestamp(nanoseconds: 1_767_225_600_000_000_000) + .milliseconds(Int64(seconds * 1000))
}
