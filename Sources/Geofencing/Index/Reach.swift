import Glibc

/// All within some distance of a position, in the form in which cells and entries are compared with it.
///
/// The comparisons err on the safe side: what is outside by them surely is, while what is within may be outside.
struct Reach: Sendable {
  let center: BinaryAngles

  /// In metres along the ground.
  let radius: Double

  /// The distance of the position from the Earth's axis in metres.
  private let fromAxis: Double

  /// The least metres, squared, that a unit has to the north and to the east within 20 km; nil near a pole.
  private var least: (north: Float, east: Float)?

  /// The least metres that a degree of latitude has: by the least radius of curvature of WGS84, a(1 − e²), times
  /// π/180.
  private static let leastDegree = 110_574.27

  /// Up to which distance in metres the ground counts as a plane.
  private static let flat = 20_000.0

  init(around position: Coordinate, radius: Double) {
    center = BinaryAngles(position)
    self.radius = radius
    let latitude = abs(position.latitude)
    fromAxis = GeocentricPoint.equatorialRadius * max(cos(latitude * .pi / 180), 0)
    guard latitude <= 85 else { return }
    // The meridians converge between the two ends of a distance.
    let change = Self.flat / Self.leastDegree
    let unit = 1 / BinaryAngles.perDegree
    func squared(_ degree: Double) -> Float { Float(degree * unit * degree * unit) }
    let shortest = Self.parallel(latitude + change)
    // By no more than this share is a straight line on the map longer than through space.
    let share = 1 - 1e-3
    least = (squared(Self.leastDegree * share), squared(shortest * share))
  }

  /// A lower bound of the metres of a degree of longitude at a latitude, to 0.4 %: on a sphere with the equator's
  /// radius.
  private static func parallel(_ latitude: Double) -> Double {
    GeocentricPoint.equatorialRadius * .pi / 180 * cos(latitude * .pi / 180)
  }

  /// Whether the plane is exact enough to tell whether an entry is within the reach.
  @inline(__always)
  func tells(of entry: CellIndex.Entry) -> Bool {
    least != nil && entry.radius + Float(radius) < Float(Self.flat)
  }

  /// Whether an entry is surely outside the reach.
  @inline(__always)
  func isBeyond(_ entry: CellIndex.Entry) -> Bool {
    guard let least, tells(of: entry) else { return false }
    let north = Float(Int32(bitPattern: entry.center.latitude &- center.latitude))
    let east = Float(Int32(bitPattern: entry.center.longitude &- center.longitude))
    // Both positions are rounded to units.
    let farthest = entry.radius + Float(radius) + 0.03
    return north * north * least.north + east * east * least.east > farthest * farthest
  }

  /// The reach in the form in which four entries are compared at once; nil near a pole.
  var sieve: Sieve? {
    guard let least else { return nil }
    return Sieve(center: center, radius: Float(radius), north: least.north, east: least.east)
  }

  /// A reach in the form in which four entries are compared with it at once.
  struct Sieve: BitwiseCopyable {
    fileprivate let center: BinaryAngles
    fileprivate let radius: Float
    fileprivate let north: Float
    fileprivate let east: Float

    /// Which of four adjacent entries are surely outside, one bit each.
    @inline(__always)
    func isBeyond(_ entries: SIMD16<UInt32>) -> Int {
      let (first, second) = (entries.evenHalf, entries.oddHalf)
      let latitudes = SIMD4<Int32>(truncatingIfNeeded: first.evenHalf &- center.latitude)
      let longitudes = SIMD4<Int32>(truncatingIfNeeded: second.evenHalf &- center.longitude)
      let (dy, dx) = (SIMD4<Float>(latitudes), SIMD4<Float>(longitudes))
      let radii = unsafe unsafeBitCast(first.oddHalf & 0x7fff_ffff, to: SIMD4<Float>.self)
      let sum = radii + radius
      let farthest = sum + 0.03
      let isBeyond =
        (dy * dy * north + dx * dx * east .> farthest * farthest) .& (sum .< Float(Reach.flat))
      let bits = unsafe unsafeBitCast(isBeyond, to: SIMD4<Int32>.self) & SIMD4(1, 2, 4, 8)
      return Int(bits.wrappedSum())
    }
  }

  /// The window of the centres of all entries within the reach whose radius isn't larger than so many metres.
  func window(ofRadius largest: Double) -> CellWindow {
    let sum = radius + largest
    let metresPerUnit = Self.leastDegree / BinaryAngles.perDegree
    // More than once round the Earth is everywhere.
    let height = Int64(min(sum / metresPerUnit, 1e12)) + 2
    // The distance in space to the half plane of a meridian is the distance from the axis times the sine of the angle.
    // Up to x = 1/2 the arc sine of x is at most x + 0.19x³.
    let sine = sum / max(fromAxis, 1)
    let half = UInt64(1) << 31
    let width =
      sine < 0.5 ? UInt64(sine * (1 + 0.19 * sine * sine) * (Double(half) / .pi)) + 2 : half
    return CellWindow(center: center, height: height, width: min(width, half))
  }
}
