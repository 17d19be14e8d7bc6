package import Geofencing

/// From what a source tells to location updates: epochs are merged, checked and followed.
///
/// A plain value; what comes out depends only on what went in.
package struct LocationPipeline: Sendable {
  private let parameters: PositioningParameters
  private var merger = EpochMerger()
  private var filter: FixFilter
  private var status = ReceiverStatus()
  private var lastTold: LocationUpdate?

  /// How many reports have come since the last fix that were no fix and don't say how long after it
  /// they are.
  private var undated = 0

  /// A pipeline that goes on from the last fix that was judged, if there was one.
  package init(parameters: PositioningParameters, lastFix: Location? = nil) {
    self.parameters = parameters
    filter = FixFilter(parameters: parameters, last: lastFix)
  }

  /// What is known about the receiver.
  package var receiverStatus: ReceiverStatus { status }

  /// Takes what a source tells; at most one update comes of it.
  package mutating func process(_ event: SourceEvent) -> LocationUpdate? {
    switch event {
    case .tpv(let report):
      return merger.add(report).flatMap { judge($0) }
    case .epochComplete:
      guard let epoch = merger.complete() else { return repeatedEpoch() }
      return judge(epoch)
    case .sky(let used, let seen):
      status.satellitesUsed = used
      status.satellitesSeen = seen
      return nil
    case .connected(let source):
      status.source = source
      status.disconnection = nil
      status.isSilent = false
      return nil
    case .devices(let devices):
      status.devices = devices
      return nil
    case .silent:
      status.isSilent = true
      status.forgetReception()
      return unavailable()
    case .disconnected(let reason):
      status.source = nil
      status.devices = []
      status.disconnection = reason
      status.forgetReception()
      return unavailable(disconnected: true)
    }
  }

  /// Takes note that the source has ended.
  package mutating func finish() -> LocationUpdate? {
    merger.complete().flatMap { judge($0) }
  }

  /// Takes note that the source isn't read for some time, on purpose.
  mutating func release() { status.release() }

  private mutating func judge(_ epoch: TPV) -> LocationUpdate? {
    status.isSilent = false
    status.mode = epoch.mode
    switch filter.take(epoch, satellitesUsed: status.satellitesUsed) {
    case .success(let location):
      status.accepted += 1
      status.lastFix = location
      undated = 0
      let update = LocationUpdate(location: location)
      lastTold = update
      return withRejections(update)
    case .failure(let rejection):
      status.rejected[rejection.reason, default: 0] += 1
      status.untoldRejections.append(filter.rejected(epoch, because: rejection.reason))
      let age = ageOfLastFix(at: epoch.time)
      undated = age == nil ? undated + 1 : 0
      guard isStale(age) else { return nil }
      return unavailable(accuracyLimited: rejection.reason == .inaccurate)
    }
  }

  /// Takes note of an epoch that only repeated the one before: the receiver's clock stands still.
  private mutating func repeatedEpoch() -> LocationUpdate? {
    undated += 1
    guard lastTold?.location != nil, isStale(nil) else { return nil }
    return unavailable()
  }

  /// How old a report says that the last fix is; nil when its time can't say that: it isn't later, or so
  /// far ahead that it is more likely wrong.
  private func ageOfLastFix(at time: Timestamp?) -> Duration? {
    guard let time, let last = status.lastFix, time > last.timestamp else { return nil }
    let age = time - last.timestamp
    return age <= FixFilter.longestSilence ? age : nil
  }

  /// Whether the last fix is too old to be offered; a step back in time doesn't make it so.
  ///
  /// Most receivers that have lost their position say so once a second, without a time.
  private func isStale(_ age: Duration?) -> Bool {
    status.lastFix == nil || Duration.seconds(undated) > parameters.staleAfter
      || age.map { $0 > parameters.staleAfter } ?? false
  }

  /// The update without a location, told once until there is one again or the reason is another.
  private mutating func unavailable(
    accuracyLimited: Bool = false, disconnected: Bool = false
  ) -> LocationUpdate? {
    var update = LocationUpdate(location: nil)
    update.accuracyLimited = accuracyLimited
    update.receiverDisconnected = disconnected
    guard update != lastTold else { return nil }
    lastTold = update
    return withRejections(update)
  }

  /// The update with what was rejected before it, which is told then.
  private mutating func withRejections(_ update: LocationUpdate) -> LocationUpdate {
    var update = update
    update.rejections = status.untoldRejections.take()
    return update
  }
}
