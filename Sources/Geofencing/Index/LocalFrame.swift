import Glibc

/// A frame around a position in which points in space are found without trigonometry.
///
/// Its axes lie in the meridian of the centre: outwards from the Earth's axis, to the east, and to the north along the
/// Earth's axis. As only distances matter, no other axes are needed.
struct LocalFrame: Sendable {
  let center: Coordinate

  /// The centre in space, from the centre of the Earth.
  let origin: GeocentricPoint

  /// The distance of the centre from the Earth's axis in metres, and how that and the distance from the plane of the
  /// equator change with the latitude: the terms of the Taylor series after the first.
  private let fromAxis: Double
  private let outwards: (Double, Double, Double)
  private let northwards: (Double, Double, Double)

  /// The unit that the centre lies in, and the angles in radians from the centre to the unit's middle.
  private let angles: BinaryAngles
  private let remainder: (latitude: Float, longitude: Float)

  /// The most metres that a degree of longitude has within ``reach`` of the centre.
  private let metresPerLongitude: Double

  /// The most metres that a degree of latitude has: at a pole, where the radius of curvature is a²/b.
  private static let metresPerLatitude = 6_399_594 * Double.pi / 180

  /// The largest error in metres of distances by a frame, or by chords.
  static let margin = 0.01

  /// Up to which distance from the centre, in metres, the frame may be used.
  static let reach = 5_000.0

  /// Up to how many radians from the centre the series are exact to some micrometres.
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
    // The radius of curvature along the meridian, and how it changes with the latitude. By dφ of latitude a point
    // moves along the meridian: outwards by −M sin φ dφ, to the north by M cos φ dφ.
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
    // A parallel is longer towards the equator, by no more than the distance there.
    metresPerLongitude = (max(cosine, 0) + 1e-3) * Self.metresPerLatitude
  }

  /// An upper bound of the distance from the centre to a position in metres, squared; infinite beyond ``reach``.
  @inline(__always)
  func squaredBound(to position: Coordinate) -> Double {
    let squared = squaredBound(from: center, to: position)
    return squared <= Self.reach * Self.reach ? squared : .infinity
  }

  /// An upper bound of the distance between two positions in metres, squared, if both are within ``reach``.
  @inline(__always)
  func squaredBound(from start: Coordinate, to end: Coordinate) -> Double {
    let dy = (end.latitude - start.latitude) * Self.metresPerLatitude
    let dx = (end.longitude - start.longitude) * metresPerLongitude
    return dx * dx + dy * dy
  }

  /// A point by the axes of the frame, in metres from its centre.
  struct Offset: BitwiseCopyable {
    var outwards = 0.0
    var east = 0.0
    var northwards = 0.0

    @inline(__always)
    var squaredLength: Double {
      outwards * outwards + east * east + northwards * northwards
    }

    /// The straight distance to another point in metres.
    @inline(__always)
    func distance(to other: Offset) -> Double {
      Offset(
        outwards: outwards - other.outwards, east: east - other.east,
        northwards: northwards - other.northwards
      ).squaredLength.squareRoot()
    }
  }

  /// The same in 32-bit numbers.
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

  /// The point of a position on the ellipsoid.
  @inline(__always)
  func offset(of position: Coordinate) -> Offset {
    offset(position.latitude, position.longitude)
  }

  /// The point of a position on the ellipsoid that is known to some millimetres.
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

  /// The points of eight positions in 32-bit numbers, and which of them are too far away for that.
  ///
  /// They are exact to 3e-7 of the distance.
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
