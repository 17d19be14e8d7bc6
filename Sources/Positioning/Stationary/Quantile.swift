import Geofencing

/// The value below which that share of the values lies; 0 without values.
func quantile(_ share: Double, of values: some Collection<Double>) -> Double {
  guard !values.isEmpty else { return 0 }
  let sorted = values.sorted()
  return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
}

/// The vector of the medians: a few that are far off don't move it.
func median(of vectors: some Collection<Vector>) -> Vector {
  Vector(
    east: quantile(0.5, of: vectors.map(\.east)), north: quantile(0.5, of: vectors.map(\.north)))
}
