package import Geofencing

/// The locations of a source, as a sequence: `for await update in LocationUpdates(source)`.
///
/// Nothing is read before the loop begins, and leaving the loop stops the source. Each loop reads
/// the source for itself. With a ``PausePolicy`` it pauses when the receiver has been at rest for long
/// enough: one last update, then silence until the receiver moves.
package struct LocationUpdates<Source: LocationSource>: AsyncSequence, Sendable {
  package typealias Element = LocationUpdate
  package typealias Failure = Never

  private let source: Source
  private let parameters: PositioningParameters
  private let diagnostics: ReceiverDiagnostics
  private let lastFix: Location?
  private let policy: PausePolicy?
  private let everyUpdate: @Sendable (LocationUpdate) async -> Bool
  private let burstEnds: @Sendable () async -> Void
  private let uptime: @Sendable () -> Duration
  private let afterwards: @Sendable (LocationUpdate, _ isRefused: Bool) -> Void

  /// The updates of a source; what is known of the receiver is kept up to date in `diagnostics`.
  ///
  /// - Parameters:
  ///   - lastFix: the last fix that was taken before, which the first has to follow.
  ///   - policy: how to pause; nil is never. A source that has an end, such as a recording, must not
  ///     be released: it would begin anew with each look.
  ///   - everyUpdate: is given each update first, also those that a pause keeps silent; false where it refuses
  ///     the fix.
  ///   - burstEnds: is called after updates were given and before anything is waited for: what has come
  ///     together may be written together, and what is alone waits for nothing. It is also called where a burst
  ///     takes long.
  ///   - uptime: what says how long that is; by default none takes long.
  ///   - afterwards: is given each update then, and whether its fix was refused, for all that events needn't wait
  ///     for.
  package init(
    _ source: Source, parameters: PositioningParameters = PositioningParameters(),
    diagnostics: ReceiverDiagnostics = ReceiverDiagnostics(), after lastFix: Location? = nil,
    pausing policy: PausePolicy? = nil,
    everyUpdate: @escaping @Sendable (LocationUpdate) async -> Bool = { _ in true },
    burstEnds: @escaping @Sendable () async -> Void = {},
    uptime: @escaping @Sendable () -> Duration = { .zero },
    afterwards: @escaping @Sendable (LocationUpdate, _ isRefused: Bool) -> Void = { _, _ in }
  ) {
    self.source = source
    self.parameters = parameters
    self.diagnostics = diagnostics
    self.lastFix = lastFix
    self.policy = policy
    self.everyUpdate = everyUpdate
    self.burstEnds = burstEnds
    self.uptime = uptime
    self.afterwards = afterwards
  }

  /// Gives an update that a pause keeps silent; false where the fix is refused.
  private func giveAlone(_ update: LocationUpdate) async -> Bool {
    let isTaken = await everyUpdate(update)
    await burstEnds()
    afterwards(update, !isTaken)
    return isTaken
  }

  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads the source as updates are asked for.
  package struct Iterator: AsyncIteratorProtocol {
    /// How long the next hint of a sensor isn't acted on, after one that meant nothing.
    private static var settling: Duration { .seconds(10) }

    /// How long a burst may last: its events are written at its end, and others on the thread wait for that.
    private static var longestBurst: Duration { .milliseconds(50) }

    private let updates: LocationUpdates
    /// When the burst began that is under way, by ``LocationUpdates/uptime``; nil between two.
    private var burstBegan: Duration?

    /// The source; nil while the receiver is released.
    private var events: Source.AsyncIterator?
    /// Whether the receiver is released; to compare `events` with nil would copy the iterator.
    private var isReleased = false
    private var pipeline: LocationPipeline
    private var pause: AutomaticPause?
    private var isFinished = false

    /// Since when nothing but a doubt about the pause keeps the receiver in use, by the policy's uptime.
    private var unneededSince: Duration?

    /// How many looks have brought no fix.
    private var fruitlessLooks = 0

    /// How long looks have taken that reached the source and heard nothing of the receiver, since something was.
    private var unheard = Duration.zero

    fileprivate init(_ updates: LocationUpdates) {
      self.updates = updates
      pipeline = LocationPipeline(
        parameters: updates.parameters, lastFix: updates.lastFix, after: updates.diagnostics.status)
      events = updates.source.makeAsyncIterator()
      pause = updates.policy.map { AutomaticPause($0.parameters, stationary: $0.stationary) }
    }

    private var diagnostics: ReceiverDiagnostics { updates.diagnostics }

    package mutating func next(isolation actor: isolated (any Actor)?) async -> LocationUpdate? {
      while !isFinished {
        guard !isReleased else {
          if let update = await stayReleased() { return update }
          continue
        }
        let update: LocationUpdate?
        if let event = await events?.next(isolation: actor) {
          update = pipeline.process(event)
        } else {
          isFinished = true
          // What is half told when somebody stops listening isn't judged; the end of a recording is.
          update = Task.isCancelled ? nil : pipeline.finish()
        }
        // Who stops before the source has said anything has learned nothing of it.
        if !isFinished || !Task.isCancelled { diagnostics.publish(pipeline.receiverStatus) }
        let told = if let update { await follow(update) } else { LocationUpdate?.none }
        if let policy = updates.policy { releaseAtLast(policy) }
        // What was released has nothing more at hand.
        await endBurst()
        if let told { return told }
      }
      return nil
    }

    /// Says that a burst has ended, unless the source has more at hand and it hasn't taken long.
    private mutating func endBurst() async {
      guard let began = burstBegan else { return }
      let mayGoOn = !isFinished && updates.source.hasMore(&events)
      guard !mayGoOn || updates.uptime() - began >= Self.longestBurst else { return }
      burstBegan = nil
      await updates.burstEnds()
    }

    /// Gives a fix to the engine, and returns what subscribers are told of it.
    private mutating func follow(_ update: LocationUpdate) async -> LocationUpdate? {
      burstBegan = burstBegan ?? updates.uptime()
      let isRefused = await !updates.everyUpdate(update)
      if isRefused { pipeline.retractFix() }
      await endBurst()
      updates.afterwards(update, isRefused)
      guard let policy = updates.policy, let wasPaused = pause?.isPaused else { return update }
      let told = pause?.take(update)
      guard update.location != nil else { return told }
      let isPaused = pause?.isPaused == true
      let isStationary = pause?.isStationary == true
      diagnostics.updateRest { rest in
        rest.isStationary = isStationary
        if isPaused != wasPaused { rest.pausedSince = isPaused ? policy.uptime() : nil }
      }
      diagnostics.note(isPaused ? policy.obstacleToRelease : pause?.obstacle)
      // In a pause, not after a fix that leaves open whether it goes on: it may be the first of a departure.
      guard isPaused else { return told }
      let mayRelease =
        if wasPaused {
          pause?.isUnsure == false ? await policy.lookMayEnd() : false
        } else {
          await !policy.isConfirming()
        }
      if mayRelease { releaseIfAllowed(policy) }
      return told
    }

    /// Lets go of a receiver that doesn't say for as long as a look may take whether the pause goes on: its
    /// reception is poor, or its fixes are rare.
    private mutating func releaseAtLast(_ policy: PausePolicy) {
      guard pause?.isPaused == true, !isReleased, policy.mayRelease() else {
        unneededSince = nil
        return
      }
      let now = policy.uptime()
      let since = unneededSince ?? now
      unneededSince = since
      let limit = PauseParameters.fixTimeout + PauseParameters.lookTimeout
      if now - since > limit { releaseIfAllowed(policy) }
    }

    private mutating func releaseIfAllowed(_ policy: PausePolicy) {
      guard policy.parameters.mode == .receiver, policy.mayRelease() else { return }
      events = nil
      isReleased = true
      unneededSince = nil
      if !pipeline.isUnheardSinceRelease { unheard = .zero }
      pipeline.release()
      diagnostics.publish(pipeline.receiverStatus)
      diagnostics.note(nil)
      diagnostics.updateRest { rest in
        rest.isReleased = true
        rest.usedSince = nil
      }
    }

    private mutating func useAgain(_ policy: PausePolicy) {
      events = updates.source.makeAsyncIterator()
      isReleased = false
      diagnostics.updateRest { rest in
        rest.isReleased = false
        rest.usedSince = policy.uptime()
        rest.nextLook = nil
      }
    }

    /// Looks at the released receiver now and then.
    ///
    /// - Returns: the first update after the pause; nil when the receiver is used again though nothing
    ///   moved, or when the task was cancelled.
    private mutating func stayReleased() async -> LocationUpdate? {
      guard let policy = updates.policy else { return nil }
      var settling = Duration.zero
      while let pause {
        let next = policy.uptime() + policy.parameters.probeInterval
        diagnostics.updateRest { $0.nextLook = next }
        let wake = await policy.wait(settling: settling)
        guard !Task.isCancelled else { break }
        if wake == .needed {
          useAgain(policy)
          // What is needed for a moment only is a look too, before the receiver is released again.
          self.pause?.beginLook()
          policy.lookBegins()
          return nil
        }
        diagnostics.updateRest { $0.nextLook = nil }
        if let fix = await look(policy, during: pause) {
          diagnostics.updateRest { rest in
            rest.pausedSince = nil
            rest.isStationary = false
          }
          useAgain(policy)
          return LocationUpdate(location: fix)
        }
        settling = wake == .motion ? Self.settling : .zero
      }
      isFinished = true
      return nil
    }

    /// Looks at the released receiver once; its fix where it has moved, else nil.
    private mutating func look(
      _ policy: PausePolicy, during pause: AutomaticPause
    ) async -> Location? {
      var state = ReceiverLook<Source>.State(pipeline: pipeline, pause: pause)
      state.pause.beginLook()
      policy.lookBegins()
      let fixTimeout = PauseParameters.fixTimeout(afterFruitless: fruitlessLooks)
      let (began, trouble) = (policy.uptime(), pipeline.receiverStatus.disconnection)
      state = await ReceiverLook(
        source: updates.source, policy: policy, fixTimeout: fixTimeout,
        diagnostics: diagnostics, everyUpdate: updates.giveAlone
      ).take(state)
      if state.lastFix == nil { fruitlessLooks += 1 }
      pipeline = state.pipeline
      self.pause = state.pause
      if state.finding == .moved, let fix = state.lastFix { return fix }
      if !pipeline.isUnheardSinceRelease {
        unheard = .zero
      } else if pipeline.receiverStatus.source != nil, trouble == nil {
        // A source that was away may have come back with the last second. The machine may have slept meanwhile.
        unheard += Swift.min(policy.uptime() - began, fixTimeout)
        // A look may be shorter than the silence of a receiver that tells something now and then.
        if unheard >= policy.silence, let update = pipeline.process(.silent) {
          _ = await updates.giveAlone(update)
        }
      }
      pipeline.release()
      diagnostics.publish(pipeline.receiverStatus)
      return nil
    }
  }
}
