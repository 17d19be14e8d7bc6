import Geofencing

/// Of several receivers, the one whose fixes are used.
///
/// Each errs in its own way, and they needn't be in one place: taken by turns, their fixes jump. The first
/// that has a fix is followed until it gives none for some time, or another that is in the same place is much
/// more accurate.
struct FollowedReceiver {
  /// A receiver that isn't followed.
  private struct Other {
    /// Its first fix since the last one of the receiver that is followed.
    var alone: Timestamp?

    /// Its first report without a fix since then, and how many there were that tell no time.
    var lacking: Timestamp?
    var undated = 0

    /// Since when each of its fixes has been better.
    var better: Timestamp?
  }

  private let parameters: PositioningParameters

  /// Its name; nil while it isn't chosen, and where it has none.
  private var name: String?

  /// The last fix that was used.
  private var last: Location?

  /// By their clocks, which may be far from each other.
  private var others = ByReceiver<Other>()

  /// The same before the last fix that was used.
  private var othersBefore = ByReceiver<Other>()

  /// How many times smaller the radius of a better fix is.
  private static let betterBy = 2.0

  /// Reports come that often at most, where they don't say how often.
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
    other.alone = earlier(other.alone, fix.timestamp)
    other.better = isBetter(fix, than: last) ? earlier(other.better, fix.timestamp) : nil
    others[device] = other
    let isNext = [other.alone, other.better].contains {
      $0.map { fix.timestamp - $0 >= parameters.staleAfter } ?? false
    }
    // It may be too late for this fix, where the other one has told of the same second first.
    if isNext { follow(device) }
    return isNext
  }

  /// Takes note of a report without a usable fix; whether it concerns the one that is followed: it is its own, or that
  /// has been silent for so long that none is followed any more.
  mutating func noteWithoutFix(of device: String?, at time: Timestamp?) -> Bool {
    guard let name, let device, device != name else { return true }
    var other = others[device] ?? Other()
    if let time {
      let began = earlier(other.lacking, time)
      // What is ahead by more is a wrong clock that was set.
      other.lacking = time - began <= FixFilter.longestSilence ? began : time
    } else {
      other.undated += 1
    }
    others[device] = other
    let silence = time.flatMap { time in other.lacking.map { time - $0 } } ?? .zero
    let isSilent =
      silence >= parameters.staleAfter
      || Self.shortestStep * other.undated >= parameters.staleAfter
    if isSilent { follow(nil) }
    return isSilent
  }

  /// Takes note of a fix that was used.
  mutating func use(_ fix: Location) {
    othersBefore = others
    if fix.device == name {
      others.updateEach { _, other in
        (other.alone, other.lacking, other.undated) = (nil, nil, 0)
      }
    } else {
      follow(fix.device)
    }
    last = fix
  }

  /// Takes back the last fix that was used: it was this one.
  ///
  /// Who tells nothing but such as are taken back is as good as silent.
  mutating func retract(to fix: Location?) {
    last = fix
    others = othersBefore
  }

  private mutating func follow(_ device: String?) {
    name = device
    others.removeAll()
    othersBefore.removeAll()
  }

  /// Since when something has been so; anew from now where the clock went back.
  private func earlier(_ began: Timestamp?, _ now: Timestamp) -> Timestamp {
    min(began ?? now, now)
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
