import CommandLineParsing
import ControlInterface
import GeofenceDaemon
import Geofencing
import LinuxSystem
import Varlink

/// Connects the daemon, the keys and the screen while somebody watches.
///
/// Replies are put into a model, and one task draws the newest state at its own pace: so a slow terminal holds up
/// nothing and misses nothing that is still true.
final class WatchSession: Sendable {
  private struct State {
    var model: WatchModel

    /// Whether the whole screen has to be drawn, because the terminal may show anything.
    var needsRedraw = false

    /// Whether the process is to be stopped, as Ctrl-Z asks for.
    var isLeaving = false

    /// Does what a key is for, except quitting.
    mutating func take(_ key: WatchKey) {
      switch key {
      case .quit: break
      case .suspend: isLeaving = true
      case .redraw: needsRedraw = true
      case .help: model.showsHelp.toggle()
      case .up: model.scroll(by: -1)
      case .down: model.scroll(by: 1)
      case .pageUp: model.scroll(by: -model.pageLength)
      case .pageDown: model.scroll(by: model.pageLength)
      }
    }
  }

  private let terminal: Terminal
  private let abilities: TerminalAbilities
  private let scope: Nearest.Parameters
  private let interval: Duration
  private let arguments: ParsedArguments
  private let clock = DaemonClock.system
  private let state: WatchedState<State>

  /// The shortest time between two frames.
  private static let frame = Duration.milliseconds(50)

  /// How long to wait before the daemon is tried again.
  private static let retryInterval = Duration.milliseconds(500)

  init(
    on terminal: Terminal, _ abilities: TerminalAbilities, scope: Nearest.Parameters,
    interval: Duration, _ arguments: ParsedArguments
  ) {
    self.terminal = terminal
    self.abilities = abilities
    self.scope = scope
    self.interval = interval
    self.arguments = arguments
    var model = WatchModel(user: scope.user ?? ProcessUser.effective, monitor: scope.monitor)
    model.patience += interval
    state = WatchedState(State(model: model))
  }

  /// Watches until a key, a signal, or the end of the terminal; then the terminal is as it was before.
  func run() async throws {
    let signals = await ProcessSignals.start(
      ProcessSignals.requests + [.resume, .windowChange])
    try terminal.makeRaw()
    defer {
      terminal.writeAtLast(ScreenWriter.end(terminal.size))
      terminal.restore()
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await self.readKeys() }
      group.addTask { await self.awaitRequest(signals) }
      group.addTask { try await self.draw() }
      group.addTask { try await self.keepTime() }
      group.addTask { try await self.followStatus() }
      group.addTask { try await self.followNearest() }
      group.addTask { try await self.followEvents() }
      // The first task that ends cancels the others.
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  // MARK: The terminal

  private func draw() async throws {
    var writer = ScreenWriter()
    try await terminal.write(ScreenWriter.beginning)
    // The last change that the screen shows: none yet.
    var drawn: Int64 = -1
    while true {
      try await state.changes.wait(after: drawn)
      drawn = state.changes.latest
      let current = state.update { state in
        defer { (state.needsRedraw, state.isLeaving) = (false, false) }
        return state
      }
      if current.isLeaving {
        terminal.writeAtLast(ScreenWriter.end(terminal.size))
        terminal.restore()
        Terminal.suspendJob()
      }
      if current.isLeaving || current.needsRedraw {
        try terminal.makeRaw()
        try await terminal.write(ScreenWriter.beginning)
        writer.forget()
      }
      let screen = WatchScreen(
        current.model, now: clock.now(), uptime: clock.uptime(), in: .local, size: terminal.size,
        abilities)
      state.update { $0.model.pageLength = max(1, screen.conditionRows) }
      try await terminal.write(writer.bytes(for: screen.canvas))
      try await clock.sleeping.sleep(for: Self.frame)
    }
  }

  /// Redraws from time to time, so that the ages and the clock on the screen go on.
  private func keepTime() async throws {
    while true {
      try await clock.sleeping.sleep(for: .seconds(1))
      state.changes.advance()
    }
  }

  /// Reads keys, and returns when one of them quits.
  private func readKeys() async throws {
    var decoder = WatchKeyDecoder()
    while true {
      let bytes = try await terminal.read()
      guard !bytes.isEmpty else { return }
      for key in decoder.keys(from: bytes) {
        if key == .quit { return }
        state.change { $0.take(key) }
      }
    }
  }

  /// Returns when a signal asks to end.
  private func awaitRequest(_ signals: ProcessSignals) async {
    for await signal in signals.stream {
      switch signal {
      case .hangUp, .interrupt, .terminate: return
      case .windowChange: state.changes.advance()
      case .resume: state.change { $0.needsRedraw = true }
      }
    }
  }

  // MARK: The daemon

  private func followStatus() async throws {
    try await keepTrying { [self] in
      while true {
        let reply = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
        state.change { $0.model.hear(reply, at: clock.uptime()) }
        try await clock.sleeping.sleep(for: interval)
      }
    }
  }

  private func followNearest() async throws {
    try await keepTrying { [self] in
      try await ControlClient.stream(Nearest.self, scope, arguments, prompt: .first) { reply in
        state.change { $0.model.hear(reply, at: clock.uptime()) }
      }
    }
  }

  private func followEvents() async throws {
    try await keepTrying { [self] in
      let status = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
      let since = state.update { state in
        state.model.hear(status, at: clock.uptime())
        return state.model.events.first?.sequence
      }
      let parameters = Events.Parameters(
        user: scope.user, monitor: scope.monitor, since: since,
        last: since == nil ? WatchModel.eventLimit : nil)
      // No answer has to come at once: the status has shown that the daemon answers, and events may be rare.
      try await ControlClient.stream(Events.self, parameters, arguments, prompt: .none) { reply in
        state.change { $0.model.hear(reply) }
      }
    }
  }

  /// Runs a body that lasts as long as the daemon is there, and again each time after a pause.
  private func keepTrying(_ body: () async throws -> Void) async throws {
    while true {
      do {
        try await body()
      } catch {
        try Task.checkCancellation()
        state.change { $0.model.miss(error) }
      }
      try await clock.sleeping.sleep(for: Self.retryInterval)
    }
  }
}
