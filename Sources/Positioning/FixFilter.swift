package import Geofencing
import Glibc

/// Decides which epochs are fixes.
///
/// What is rejected moves no state and no timer. A jump in place or time that persists is accepted in
/// the end: then it was the receiver's past that was wrong, or it was off for days.
package struct FixFilter: Sendable {
  let parameters: PositioningParameters
  private(set) var last: Location?

  /// The one before the last.
  private(set) var beforeLast: Location?

  /// Whether the last one isn't the first that ever came: it goes on from others, if before a restart.
  private(set) var isBorneOut: Bool
  private var followed: FollowedReceiver
  private var repeated: RepeatedPositions

  /// Of each receiver the fixes in a row that contradict the old truth and agree with each other.
  var challengers = ByReceiver<Row>()

  /// A filter that goes on from the last fix that was taken, if there was one.
  package init(parameters: PositioningParameters, last: Location? = nil) {
    self.parameters = parameters
    self.last = last
    isBorneOut = last != nil
    followed = FollowedReceiver(parameters: parameters, last: last)
    repeated = RepeatedPositions(last: last)
  }

  /// Takes note which receivers there are.
  package mutating func note(receivers: [String]) { followed.note(receivers: receivers) }

  /// The fix in an epoch, or why there is none.
  ///
  /// - Parameter isExtrapolated: whether its position rests on no satellite.
  package mutating func take(
    _ epoch: TPV, satellitesUsed: Int?, isExtrapolated: Bool = false
  ) -> Result<Location, RejectionReason> {
    do throws(RejectionReason) {
      var fix = try followedLocation(of: epoch, isExtrapolated: isExtrapolated)
      fix.satellitesUsed = satellitesUsed
      // Three give no altitude: the receiver holds an older one, and gpsd calls that 3D all the same.
      if let satellitesUsed, (1...3).contains(satellitesUsed),
        SatelliteUse.restsOnSatellites(epoch)
      {
        fix.mode = min(fix.mode, 2)
      }
      guard followed.admit(fix) else { throw .otherReceiver }
      guard !repeated.take(fix) else { throw .repeatedPosition }
      do throws(RejectionReason) {
        try checkTravel(from: last, to: fix)
        // By and by any way becomes possible: who insists on a jump hasn't travelled it.
        if let row = challengers[fix.device], insists(row, with: fix) {
          guard isOfClockSetBack(row, before: fix) else { throw .impossibleSpeed }
          fix.followsDiscontinuity = true
        }
      } catch {
        guard addToRow(fix, because: error) else { throw error }
        fix.followsDiscontinuity = true
      }
      isBorneOut = last != nil
      (beforeLast, last) = (last, fix)
      followed.use(fix)
      challengers.removeAll()
      return .success(fix)
    } catch {
      return .failure(error)
    }
  }

  /// Takes back the last fix, which the engine refused: the next ones are compared with the one before.
  package mutating func retract() {
    last = beforeLast
    followed.retract(to: last)
  }

  /// What is known of an epoch that was rejected, for whoever asks why it was left out.
  func rejected(_ epoch: TPV, because reason: RejectionReason) -> RejectedFix {
    RejectedFix(
      timestamp: epoch.time, coordinate: epoch.coordinate,
      horizontalAccuracy: horizontalAccuracy(of: epoch),
      speed: epoch.speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }, reason: reason.rawValue)
  }

  /// The location of an epoch.
  ///
  /// - Throws: why there is none; `otherReceiver` where the receiver isn't the one that is followed.
  private mutating func followedLocation(
    of epoch: TPV, isExtrapolated: Bool
  ) throws(RejectionReason) -> Location {
    do throws(RejectionReason) {
      if isExtrapolated { throw .noSatellites }
      return try location(of: epoch)
    } catch {
      throw followed.noteWithoutFix(of: epoch.device, at: epoch.time) ? error : .otherReceiver
    }
  }

  private func location(of epoch: TPV) throws(RejectionReason) -> Location {
    guard epoch.hasPosition else { throw .noFix }
    guard let time = epoch.time else { throw .noTime }
    guard let coordinate = epoch.coordinate else { throw .outOfRange }
    guard coordinate != .nowhere else { throw .nullIsland }
    let accuracy = horizontalAccuracy(of: epoch)
    if let accuracy, accuracy > parameters.maximumAccuracy { throw .inaccurate }
    var location = Location(
      timestamp: time, coordinate: coordinate, horizontalAccuracy: accuracy,
      speed: epoch.speed.flatMap { (0...Self.largestSpeed).contains($0) ? $0 : nil },
      mode: epoch.mode,
      isSimulated: epoch.status == 8)
    location.altitude = altitude(epoch.altitudeMSL)
    location.ellipsoidalAltitude = altitude(epoch.altitudeHAE)
    let sigmas = accuracyMeaning(of: epoch).sigmasOfOneAxis
    location.verticalAccuracy = positive(epoch.gst?.up) ?? positive(epoch.epv).map { $0 / sigmas }
    location.speedAccuracy = positive(epoch.eps).map { $0 / sigmas }
    location.course = epoch.track.flatMap { (0...360).contains($0) ? $0 : nil }
    if location.course != nil {
      // No course is farther off than the opposite one.
      location.courseAccuracy = positive(epoch.epd).map { min($0 / sigmas, 180) }
    }
    location.device = epoch.device
    return location
  }

  /// The 68 % radius; nil when the receiver gives none that can be believed.
  func horizontalAccuracy(of epoch: TPV) -> Double? {
    // gpsd's own estimate knows where the satellites stand, and nothing of corrections or of the signal.
    if let gst = epoch.gst, let north = positive(gst.north), let east = positive(gst.east) {
      return hypot(north, east) / 2.0.squareRoot() * Location.sigmasIn68Percent
    }
    var eph = positive(epoch.eph)
    if eph == nil, let epx = positive(epoch.epx), let epy = positive(epoch.epy) {
      eph = hypot(epx, epy)
    }
    guard let eph else { return nil }
    return eph / accuracyMeaning(of: epoch).sigmas * Location.sigmasIn68Percent
  }

  private func accuracyMeaning(of epoch: TPV) -> PositioningParameters.AccuracyMeaning {
    epoch.device.flatMap { parameters.deviceAccuracyMeanings[$0] } ?? parameters.accuracyMeaning
  }

  /// Refuses what can't follow a fix: an earlier time, one that is far ahead, or a way too
  /// long for the time.
  func checkTravel(from before: Location?, to fix: Location) throws(RejectionReason) {
    guard let before else { return }
    guard fix.timestamp > before.timestamp else { throw .notNewer }
    // A single wrong date in the far future would make every state old, and the next fixes too.
    guard fix.timestamp - before.timestamp <= parameters.longestSilence else {
      throw .timeJump
    }
    let uncertainty = uncertainty(of: before, fix)
    // In a fraction of a second any reflection would be an impossible speed. Jumps that aren't longer than
    // the way of a second are left to the checks that know the receiver's own speed.
    let seconds = max((fix.timestamp - before.timestamp).inSeconds, 1)
    let longest = parameters.maximumSpeed * seconds + uncertainty
    // The detour is the shorter way to the answer for nearly all fixes.
    guard
      Self.detour(from: before.coordinate, to: fix.coordinate) <= longest
        || before.coordinate.distance(to: fix.coordinate) <= longest
    else { throw .impossibleSpeed }
  }

  /// Metres by which two honest fixes can lie apart by their errors without any travel.
  func uncertainty(of before: Location, _ fix: Location) -> Double {
    (before.horizontalAccuracy ?? parameters.defaultAccuracy)
      + (fix.horizontalAccuracy ?? parameters.defaultAccuracy)
  }

  /// Whether the speeds that the receiver has reported since the last fix say that it can't have come so far.
  func contradictsSpeed(_ fix: Location) -> Bool {
    last.map { contradictsSpeed(fix, after: $0, within: fix.timestamp - $0.timestamp) } ?? false
  }

  func contradictsSpeed(
    _ fix: Location, after before: Location, within time: Duration
  ) -> Bool {
    guard let speed = fix.speed else { return false }
    // Who goes faster than the limit is refused for that, and is no reflection. One such speed alone is what
    // gpsd makes of a jump.
    guard speed <= parameters.maximumSpeed else { return false }
    let reported = max(speed, believable(before.speed), challengers[fix.device]?.fastest ?? 0)
    return before.coordinate.distance(to: fix.coordinate)
      > way(within: time, at: reported) + uncertainty(of: before, fix)
  }

  /// A speed that counts for a row of fixes.
  func believable(_ speed: Double?) -> Double {
    speed.flatMap { $0 <= parameters.maximumSpeed ? $0 : nil } ?? 0
  }

  /// Metres along a meridian and a parallel from one position to another at most: never less than the
  /// geodesic.
  private static func detour(from start: Coordinate, to end: Coordinate) -> Double {
    (abs(end.latitude - start.latitude) + abs(end.longitude - start.longitude))
      * metresPerDegree
  }

  /// No degree of WGS84 is longer: that of a meridian at the poles has 111,694 m.
  private static let metresPerDegree = 111_700.0

  /// The largest speed in metres per second that is kept: nothing near the ground is faster.
  private static let largestSpeed = 10_000.0

  /// The smallest error in metres that is believed: no receiver is more accurate.
  private static let leastError = 0.001

  /// The largest error in metres that is kept, far more than the Earth is wide: what is computed with it is finite.
  private static let largestError = 1e9

  private func altitude(_ value: Double?) -> Double? {
    value.flatMap { AltitudeBand.altitudeRange.contains($0) ? $0 : nil }
  }

  private func positive(_ value: Double?) -> Double? {
    value.flatMap { $0.isFinite && $0 >= Self.leastError ? min($0, Self.largestError) : nil }
  }
}
