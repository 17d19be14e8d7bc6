import Geofencing

/// One look at a released receiver: connects, waits a bounded time for fixes, and lets go.
struct ReceiverLook<Source: LocationSource>: Sendable {
  let source: Source
  let policy: PausePolicy
  /// How long the first fix may take.
  let fixTimeout: Duration
  let diagnostics: ReceiverDiagnostics
  let everyUpdate: @Sendable (LocationUpdate) async -> Bool

  /// What goes into a look and comes out of it.
  struct State: Sendable {
    var pipeline: LocationPipeline
    var pause: AutomaticPause
    var finding = AutomaticPause.Finding.unsure
    var lastFix: Location?
  }

  /// Takes a look, for as long as the parameters allow.
  ///
  /// The receiver is free again when it returns. The engine is given every fix, also when the look
  /// finds nothing.
  func take(_ state: State) async -> State {
    let (fixes, fix) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
    return await withTaskGroup(of: State?.self) { group in
      group.addTask { await read(state, fix) }
      group.addTask {
        if await comesInTime(fixes) { await policy.sleep(PauseParameters.lookTimeout) }
        return nil
      }
      var result = state
      for await outcome in group {
        group.cancelAll()
        if let outcome { result = outcome }
      }
      return result
    }
  }

  /// Waits for the first fix; false when it is given up.
  private func comesInTime(_ fixes: AsyncStream<Void>) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { await fixes.first { _ in true } != nil }
      group.addTask {
        await policy.sleep(fixTimeout)
        return false
      }
      let hasCome = await group.next() ?? false
      group.cancelAll()
      return hasCome
    }
  }

  /// Reads until it is clear what the look finds, or the task is cancelled.
  private func read(
    _ state: State, _ hasFix: AsyncStream<Void>.Continuation
  ) async -> State {
    var state = state
    var events = source.makeAsyncIterator()
    while state.finding != .moved {
      // One that is fast may be the first of a departure.
      if state.finding == .still, !state.pause.isUnsure, await policy.lookMayEnd() { break }
      let event = await events.next(isolation: nil)
      if event == nil, Task.isCancelled { break }
      let update = event.map { state.pipeline.process($0) } ?? state.pipeline.finish()
      diagnostics.publish(state.pipeline.receiverStatus)
      if let update, await !everyUpdate(update) { state.pipeline.retractFix() }
      if let fix = update?.location {
        hasFix.yield()
        state.lastFix = fix
        state.finding = state.pause.look(at: fix)
      }
      if event == nil { break }
    }
    return state
  }
}
