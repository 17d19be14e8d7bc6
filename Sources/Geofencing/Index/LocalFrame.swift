import Glibc

/// The surroundings of a position in which places in space are found without trigonometry.
///
/// Its axes lie in the meridian of the centre: outwards from the Earth's axis, to the east, and along the
/// Earth's axis to the north. Distances are what matters, so no other axes are needed.
struct LocalFrame: Sendable {
  let center: Coordinate

  /// The centre in space, from the centre of the Earth.
  let origin: GeocentricPoint

  /// The distance of the centre from the Earth's axis in metres, and how that and the distance from the
  /// equator's plane change with the latitude: of Taylor's series, the terms after the first.
  private let fromAxis: Double
  private let outwards: (Double, Double, Double)
  private let northwards: (Double, Double, Double)

  /// The centre in whole units, and the angles in radians from it to the middle of those.
  private let angles: BinaryAngles
  private let remainder: (latitude: Float, longitude: Float)

  /// Metres that a degree of longitude has at most within ``reach`` of the centre.
  private let metresPerLongitude: Double

  /// Metres that a degree of latitude has at most: at a pole, where the curvature is a²/b.
  private static let metresPerLatitude = 6_399_594 * Double.pi / 180

  /// By how many metres what is found by distances in a frame, or by chords, may be off at most.
  static let margin = 0.01

  /// The distance in metres from the centre up to which it is good.
  static let reach = 5_000.0

  /// Up to how many radians from the centre the series are good to some micrometres.
  private static let nearby = 0.0018

  init(at center: Coordinate) {
    self.center = center
    let (sine, cosine) = (sin(center.latitude * .pi / 180), cos(center.latitude * .pi / 180))
    let axis = GeocentricPoint.equatorialRadius
    let squared = GeocentricPoint.squaredEccentricity
    let w = 1 - squared * sine * sine
    let normal = axis / w.squareRoot()
    fromAxis = normal * cosine
    let longitude = center.longitude * .pi / 180
    origin = GeocentricPoint(
      x: fromAxis * cos(longitude), y: fromAxis * sin(longitude), z: normal * (1 - squared) * sine)
    // The radius of curvature along the meridian, and how it changes with the latitude. A latitude's place
    // moves by it at right angles to the normal: outwards by −M sin φ, to the north by M cos φ.
    let meridian = normal * (1 - squared) / w
    let first = 3 * meridian * squared * sine * cosine / w
    let second = 3 * meridian * squared * (cosine * cosine - sine * sine) / w
    outwards = (
      -meridian * sine, (-first * sine - meridian * cosine) / 2,
      (-second * sine - 2 * first * cosine + meridian * sine) / 6
    )
    northwards = (
      meridian * cosine, (first * cosine - meridian * sine) / 2,
      (second * cosine - 2 * first * sine - meridian * cosine) / 6
    )
    angles = BinaryAngles(center)
    let middle = angles.degrees
    remainder = (
      Float((middle.latitude - center.latitude) * .pi / 180),
      Float((middle.longitude - center.longitude) * .pi / 180)
    )
    // A parallel is longer towards the equator, by no more than the way there.
    metresPerLongitude = (max(cosine, 0) + 1e-3) * Self.metresPerLatitude
  }

  /// Metres that a position is away from the centre at most, squared; infinite beyond ``reach``.
  @inline(__always)
  func squaredBound(to position: Coordinate) -> Double {
    let squared = squaredBound(from: center, to: position)
    return squared <= Self.reach * Self.reach ? squared : .infinity
  }

  /// Metres between two positions at most, squared, where both are within ``reach``.
  @inline(__always)
  func squaredBound(from start: Coordinate, to end: Coordinate) -> Double {
    let dy = (end.latitude - start.latitude) * Self.metresPerLatitude
    let dx = (end.longitude - start.longitude) * metresPerLongitude
    return dx * dx + dy * dy
  }

  /// A place by the axes of the frame, from its centre, in metres.
  struct Offset: BitwiseCopyable {
    var outwards = 0.0
    var east = 0.0
    var northwards = 0.0

    @inline(__always)
    var squaredLength: Double {
      outwards * outwards + east * east + northwards * northwards
    }

    /// Metres to another place, in a straight line.
    @inline(__always)
    func distance(to other: Offset) -> Double {
      Offset(
        outwards: outwards - other.outwards, east: east - other.east,
        northwards: northwards - other.northwards
      ).squaredLength.squareRoot()
    }
  }

  /// The same by numbers of 32 bits.
  struct Place: BitwiseCopyable {
    let x: Float
    let y: Float
    let z: Float

    @inline(__always)
    init(_ offset: Offset) {
      x = Float(offset.outwards)
      y = Float(offset.east)
      z = Float(offset.northwards)
    }
  }

  /// Where a position on the ellipsoid is.
  @inline(__always)
  func offset(of position: Coordinate) -> Offset {
    offset(position.latitude, position.longitude)
  }

  /// Where a position on the ellipsoid is that is known to some millimetres.
  @inline(__always)
  func offset(of position: BinaryAngles) -> Offset {
    let (latitude, longitude) = position.degrees
    return offset(latitude, longitude)
  }

  @inline(__always)
  private func offset(_ latitude: Double, _ longitude: Double) -> Offset {
    let d = (latitude - center.latitude) * (.pi / 180)
    let e = (longitude - center.longitude) * (.pi / 180)
    guard abs(d) < Self.nearby, abs(e) < Self.nearby else {
      return farOffset(latitude, longitude)
    }
    let out = d * (outwards.0 + d * (outwards.1 + d * outwards.2))
    let north = d * (northwards.0 + d * (northwards.1 + d * northwards.2))
    let e2 = e * e
    let distance = fromAxis + out
    return Offset(
      outwards: out - distance * (e2 * (0.5 - e2 * (1.0 / 24))),
      east: distance * (e * (1 - e2 * (1.0 / 6))), northwards: north)
  }

  /// Where eight positions are, by numbers of 32 bits, and which of them are too far away for that.
  ///
  /// It is good to 3e-7 of the distance.
  @inline(__always)
  func offsets(
    latitude: SIMD8<UInt32>, longitude: SIMD8<UInt32>
  ) -> (
    outwards: SIMD8<Float>, east: SIMD8<Float>, northwards: SIMD8<Float>,
    isFar: SIMDMask<SIMD8<Int32>>
  ) {
    typealias Numbers = SIMD8<Float>
    let radians = Float(.pi / 180 / BinaryAngles.perDegree)
    let d =
      Numbers(SIMD8<Int32>(truncatingIfNeeded: latitude &- angles.latitude)) * radians
      + remainder.latitude
    let e =
      Numbers(SIMD8<Int32>(truncatingIfNeeded: longitude &- angles.longitude)) * radians
      + remainder.longitude
    let nearby = Float(Self.nearby)
    let isFar = (d .> nearby) .| (d .< -nearby) .| (e .> nearby) .| (e .< -nearby)
    let outwards = (
      Float(self.outwards.0), Float(self.outwards.1), Float(self.outwards.2)
    )
    let northwards = (
      Float(self.northwards.0), Float(self.northwards.1), Float(self.northwards.2)
    )
    let out = d * (d * (d * outwards.2 + outwards.1) + outwards.0)
    let north = d * (d * (d * northwards.2 + northwards.1) + northwards.0)
    let e2 = e * e
    let distance = out + Float(fromAxis)
    return (
      out - distance * (e2 * (0.5 - e2 * (1.0 / 24))), distance * (e * (1 - e2 * (1.0 / 6))),
      north, isFar
    )
  }

  private func farOffset(_ latitude: Double, _ longitude: Double) -> Offset {
    let point = GeocentricPoint(longitude: longitude, latitude: latitude)
    let (sine, cosine) = fromAxis > 0 ? (origin.y / fromAxis, origin.x / fromAxis) : (0, 1)
    let (x, y) = (point.x - origin.x, point.y - origin.y)
    return Offset(
      outwards: x * cosine + y * sine, east: y * cosine - x * sine,
      northwards: point.z - origin.z)
  }
}
