import Geofencing

/// Of several receivers, the one whose fixes are used.
///
/// Each errs in its own way, and they needn't be in one place: taken by turns, their fixes jump. The first
/// that has a fix is followed until it gives none for some time, or another that is in the same place is much
/// more accurate.
struct FollowedReceiver {
  /// A receiver that isn't followed.
  private struct Other {
    /// For how long it has had fixes while the receiver that is followed had none.
    var alone = Stretch()

    /// For how long it has had none either; reports that tell no time are counted instead.
    var lacking = Stretch()
    var undated = 0

    /// For how long each of its fixes has been better.
    var better = Stretch()

    /// The time of its last report.
    private var heard: Timestamp?

    /// Takes note that it tells something.
    ///
    /// After a silence all begins anew: gpsd may have been away, the machine asleep or the receiver released, so that
    /// none was heard.
    mutating func hear(at time: Timestamp, silence: Duration) {
      if let heard, time - heard >= silence {
        alone.beginAnew()
        lacking.beginAnew()
        better.beginAnew()
      }
      heard = time
    }
  }

  /// For how long something has been so.
  private struct Stretch {
    private static let mostAhead = Duration.seconds(86_400)

    private var began: Timestamp?
    private var beganAnew = false

    /// Begins anew, but only once: some receivers are silent between any two fixes.
    mutating func beginAnew() {
      guard began != nil, !beganAnew else { return }
      (began, beganAnew) = (nil, true)
    }

    /// Takes note that it is still so, and says for how long it has been.
    mutating func goOn(at time: Timestamp) -> Duration {
      var since = min(began ?? time, time)
      // More than that didn't pass: a wrong clock was set.
      if time - since > Self.mostAhead { since = time }
      began = since
      return time - since
    }
  }

  private let parameters: PositioningParameters

  /// Its name; nil while it isn't chosen, and where it has none.
  private var name: String?

  /// The last fix that was used.
  private var last: Location?

  /// What is known of the others, with times by their own clocks, which may be far apart.
  private var others = ByReceiver<Other>()

  /// The same before the last fix that was used.
  private var othersBefore = ByReceiver<Other>()

  /// How many times smaller the radius of a better fix is.
  private static let betterBy = 2.0

  /// The least time between two reports, for those that tell no time.
  private static let shortestStep = Duration.milliseconds(100)

  init(parameters: PositioningParameters, last: Location?) {
    self.parameters = parameters
    self.last = last
    name = last?.device
  }

  /// Takes note which receivers there are: one that is gone isn't waited for.
  mutating func note(receivers: [String]) {
    guard let name, !receivers.isEmpty, !receivers.contains(name) else { return }
    follow(nil)
  }

  /// Takes note of a fix; whether it may be used.
  ///
  /// One whose receiver has no name always may.
  mutating func admit(_ fix: Location) -> Bool {
    guard let name, let last, let device = fix.device, device != name else { return true }
    var other = others[device] ?? Other()
    other.hear(at: fix.timestamp, silence: parameters.staleAfter)
    var longest = other.alone.goOn(at: fix.timestamp)
    if isBetter(fix, than: last) {
      longest = max(longest, other.better.goOn(at: fix.timestamp))
    } else {
      other.better = Stretch()
    }
    others[device] = other
    let isNext = longest >= parameters.staleAfter
    // It may be too late for this fix, where the other one has told of the same second first.
    if isNext { follow(device) }
    return isNext
  }

  /// Takes note of a report without a usable fix.
  ///
  /// - Returns: whether it counts: it is of the receiver that is followed, or that one has been silent for so long
  ///   that none is followed any more.
  mutating func noteWithoutFix(of device: String?, at time: Timestamp?) -> Bool {
    guard let name, let device, device != name else { return true }
    var other = others[device] ?? Other()
    var lacking = Duration.zero
    if let time {
      other.hear(at: time, silence: parameters.staleAfter)
      lacking = other.lacking.goOn(at: time)
    } else {
      other.undated += 1
    }
    others[device] = other
    let isSilent =
      lacking >= parameters.staleAfter
      || Self.shortestStep * other.undated >= parameters.staleAfter
    if isSilent { follow(nil) }
    return isSilent
  }

  /// Takes note of a fix that was used.
  mutating func use(_ fix: Location) {
    othersBefore = others
    if fix.device == name {
      others.updateEach { _, other in
        (other.alone, other.lacking, other.undated) = (Stretch(), Stretch(), 0)
      }
    } else {
      follow(fix.device)
    }
    last = fix
  }

  /// Takes back the last fix that was used: it was this one.
  ///
  /// A receiver whose fixes are all taken back counts as silent.
  mutating func retract(to fix: Location?) {
    last = fix
    others = othersBefore
  }

  private mutating func follow(_ device: String?) {
    name = device
    others.removeAll()
    othersBefore.removeAll()
  }

  private func isBetter(_ fix: Location, than last: Location) -> Bool {
    guard let accuracy = fix.horizontalAccuracy else { return false }
    let other = last.horizontalAccuracy ?? parameters.defaultAccuracy
    // Both travel while the one waits for the other.
    let way = max(fix.speed ?? 0, last.speed ?? 0) * abs((fix.timestamp - last.timestamp).inSeconds)
    return accuracy * Self.betterBy <= other
      && last.coordinate.distance(to: fix.coordinate) <= accuracy + other + way
  }
}
