package import Geofencing

/// From what a source tells to location updates: epochs are merged, checked and followed.
///
/// A plain value; what comes out depends only on what went in.
package struct LocationPipeline: Sendable {
  private let parameters: PositioningParameters
  private var mergers = ByReceiver<EpochMerger>()
  private var madeUpSpeeds: MadeUpSpeeds
  private var satellites: SatelliteUse
  private var filter: FixFilter
  private var status = ReceiverStatus()
  private var lastTold: LocationUpdate?

  /// For how long reports have come since the last fix that are no fix, and whose times don't say how much later
  /// they are.
  private var undated = Duration.zero

  /// What each such report adds to it: the time between the last two fixes, but 50 ms to 1 s.
  private var step = Self.longestStep
  private static let longestStep = Duration.seconds(1)
  private static let shortestStep = Duration.milliseconds(50)

  /// Why nothing has been heard of the receiver for too long; nil once it is heard.
  private var unreached: String?

  /// Whether that is because the source couldn't be reached, which is over once it is.
  private var isUnconnected = false

  /// Whether nothing was heard of it since it was released.
  private(set) var isUnheardSinceRelease = false

  /// A pipeline that goes on from the last fix that was judged, if there was one.
  ///
  /// - Parameter earlier: what was known of the receiver before: its counts go on.
  package init(
    parameters: PositioningParameters, lastFix: Location? = nil,
    after earlier: ReceiverStatus? = nil
  ) {
    self.parameters = parameters
    if let earlier { status.countOn(from: earlier) }
    madeUpSpeeds = MadeUpSpeeds(last: lastFix)
    satellites = SatelliteUse(last: lastFix)
    filter = FixFilter(parameters: parameters, last: lastFix)
  }

  /// What is known about the receiver.
  package var receiverStatus: ReceiverStatus { status }

  /// Takes what a source tells; at most one update comes of it.
  package mutating func process(_ event: SourceEvent) -> LocationUpdate? {
    switch event {
    case .tpv(let report):
      return mergers[report.device, default: EpochMerger()].add(report).flatMap { judge($0) }
    case .epochComplete(let device):
      guard let epoch = mergers[device]?.complete() else {
        return noteRepetition(of: mergers[device]?.lastCompleted)
      }
      return judge(epoch)
    case .sky(let device, let used, let seen):
      satellites.take(used: used, by: device)
      if (status.lastFix?.device ?? device) == device {
        (status.satellitesUsed, status.satellitesSeen) = (used, seen)
      }
      return nil
    case .connected(let source):
      status.source = source
      if isUnconnected { (unreached, isUnconnected) = (nil, false) }
      // That the source is reached says nothing of the receiver, which nobody may hear of again.
      status.disconnection = isUnheardSinceRelease ? unreached : nil
      return status.disconnection == nil && lastTold?.receiverDisconnected == true
        ? unavailable() : nil
    case .devices(let devices):
      status.devices = devices
      filter.note(receivers: devices)
      return nil
    case .silent:
      status.isSilent = true
      (unreached, isUnconnected) = (status.silence, false)
      // What an earlier look was told is over: the source is reached.
      if status.disconnection != nil { status.disconnection = unreached }
      forgetReception()
      return unavailable()
    case .disconnected(let reason):
      isUnconnected = status.source == nil
      status.source = nil
      status.devices = []
      status.disconnection = reason
      unreached = reason
      forgetReception()
      return unavailable(disconnected: true)
    }
  }

  /// Takes note that the source has ended: what it hasn't completed itself is complete.
  package mutating func finish() -> LocationUpdate? {
    var epochs: [TPV] = []
    mergers.updateEach { _, merger in merger.complete().map { epochs.append($0) } }
    return epochs.compactMap { judge($0) }.last
  }

  /// Takes note that the engine refused the last fix: the next ones are compared with the one before.
  package mutating func retractFix() { filter.retract() }

  /// Takes note that the source isn't read for some time, on purpose.
  mutating func release() {
    // What isn't complete would be judged when the source is read again, as if it had come then.
    mergers.updateEach { _, merger in _ = merger.complete() }
    status.release()
    forgetPast()
    status.disconnection = status.disconnection ?? unreached
    isUnheardSinceRelease = true
  }

  private mutating func judge(_ epoch: TPV) -> LocationUpdate? {
    status.isSilent = false
    status.disconnection = nil
    (unreached, isUnheardSinceRelease) = (nil, false)
    var epoch = epoch
    madeUpSpeeds.remove(from: &epoch)
    let outcome = filter.take(
      epoch, satellitesUsed: satellites.used(by: epoch.device),
      isExtrapolated: satellites.take(epoch))
    switch outcome {
    case .success(let location):
      status.accepted += 1
      status.mode = location.mode
      if let last = status.lastFix {
        let since = location.timestamp - last.timestamp
        step =
          since > .zero ? max(Self.shortestStep, min(since, Self.longestStep)) : Self.longestStep
      }
      status.lastFix = location
      status.doubt = nil
      undated = .zero
      return tell(LocationUpdate(location: location))
    case .failure(let reason):
      status.rejected[reason, default: 0] += 1
      // What a receiver says that isn't followed tells nothing of the one that is.
      guard reason != .otherReceiver else { return nil }
      status.mode = epoch.mode
      status.doubt = filter.doubt(of: epoch.device)
      status.untoldRejections.append(filter.rejected(epoch, because: reason))
      let age = ageOfLastFix(at: epoch.time)
      undated = age == nil ? undated + step : .zero
      guard isStale(age) else { return nil }
      return unavailable(accuracyLimited: reason == .inaccurate)
    }
  }

  private mutating func forgetReception() {
    status.forgetReception()
    forgetPast()
  }

  private mutating func forgetPast() {
    satellites.forget()
    madeUpSpeeds.interrupt()
  }

  /// Takes note of reports with the time of an epoch that was complete: most are parts of it that come late, but
  /// where there is nothing else the receiver's clock stands still.
  private mutating func noteRepetition(of epoch: TPV?) -> LocationUpdate? {
    guard let epoch, let last = status.lastFix, epoch.device == last.device else { return nil }
    undated += step
    guard isStale(nil) else { return nil }
    status.rejected[.notNewer, default: 0] += 1
    status.untoldRejections.append(filter.rejected(epoch, because: .notNewer))
    return lastTold?.location == nil ? nil : unavailable()
  }

  /// How old a report says that the last fix is; nil when its time can't say that: it isn't later, or so
  /// far ahead that it is more likely wrong.
  private func ageOfLastFix(at time: Timestamp?) -> Duration? {
    guard let time, let last = status.lastFix, time > last.timestamp else { return nil }
    let age = time - last.timestamp
    return age <= parameters.longestSilence ? age : nil
  }

  /// Whether the last fix is too old to be offered; a step back in time doesn't make it so.
  ///
  /// Most receivers that have lost their position say so as often as they told it, without a time.
  private func isStale(_ age: Duration?) -> Bool {
    status.lastFix == nil || undated > parameters.staleAfter
      || age.map { $0 > parameters.staleAfter } ?? false
  }

  /// The update without a location, told once until there is one again or the reason is another.
  private mutating func unavailable(
    accuracyLimited: Bool = false, disconnected: Bool = false
  ) -> LocationUpdate? {
    var update = LocationUpdate(location: nil)
    update.accuracyLimited = accuracyLimited
    update.receiverDisconnected = disconnected
    return update == lastTold ? nil : tell(update)
  }

  /// The update with what was rejected before it, which is told then.
  private mutating func tell(_ update: LocationUpdate) -> LocationUpdate {
    lastTold = update
    var update = update
    update.rejections = status.untoldRejections.take()
    return update
  }
}
