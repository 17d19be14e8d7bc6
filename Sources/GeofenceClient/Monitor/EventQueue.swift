internal import ControlInterface
internal import Geofencing

/// The events that came and aren't acknowledged yet, and how far each loop over them has got.
///
/// Plain values: what to read, write or wait for is for the ``Monitor`` to do.
struct EventQueue: Sendable {
  /// Names one loop.
  struct Loop: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// How far a consumer has got, as the service is told.
  struct Acknowledgement: Sendable, Hashable {
    let log: String
    let sequence: Int

    /// How many events, counted from the first that ever came, it covers.
    fileprivate let end: Int
  }

  /// How many events may be here before more are read, and how many come at once at most: as many as
  /// the service sends without an acknowledgement.
  static let capacity = 100

  private struct Progress {
    /// Which event the loop takes next.
    var next: Int

    /// How many events it has done with: all before the one that it took last.
    var done: Int
  }

  private var events: [Monitor.Event] = []

  /// How many events were acknowledged; the first one here has this number.
  private var start = 0

  private var loops: [Loop: Progress] = [:]
  private var nextLoop = 0

  /// Which log the events are of that came last.
  private(set) var log: String?

  /// The number of the last event that came, or was acknowledged.
  private(set) var lastSequence = 0

  /// Up to where the service was told that all is done with.
  private var acknowledged = 0

  /// Whether the service sent what is done with: it was removed as a consumer, or its disk forgot, or that
  /// was under way.
  private var isBehind = false

  /// How many events were done with when the last loop left, which alone had to say so then.
  private var doneWithoutLoops = 0

  /// Whether a loop has left since the service was told last how far all are.
  private var hasLeft = false

  /// What is gone from the log, until the next event tells of it.
  private var missed: Monitor.Event.Missed?

  /// How often the consumer was found removed.
  private(set) var generation = 0

  /// Whether nothing more is read before something is acknowledged.
  var isFull: Bool { events.count >= Self.capacity }

  /// Whether events wait behind the next one.
  var hasSeveral: Bool { events.count > 1 }

  // MARK: Loops

  /// Begins a loop with the first event that isn't done with.
  mutating func join() -> Loop {
    defer { nextLoop += 1 }
    let loop = Loop(number: nextLoop)
    let first = max(start, doneWithoutLoops)
    loops[loop] = Progress(next: first, done: first)
    return loop
  }

  /// Whether a loop is under way: since it began, the consumer wasn't removed.
  func hasLoop(_ loop: Loop) -> Bool { loops[loop] != nil }

  /// Ends a loop: nobody waits for it any more.
  mutating func leave(_ loop: Loop) {
    let left = loops.removeValue(forKey: loop)
    if let left, loops.isEmpty { doneWithoutLoops = max(doneWithoutLoops, left.done) }
    hasLeft = true
  }

  /// Takes note that a loop asks for its next event, and so has done with the one before.
  mutating func finishEvent(of loop: Loop) {
    guard let progress = loops[loop] else { return }
    loops[loop]?.done = progress.next
  }

  /// The next event of a loop, when it is here.
  mutating func take(by loop: Loop) -> Monitor.Event? {
    guard let progress = loops[loop] else { return nil }
    // What was acknowledged since the loop began is over for it too.
    let next = max(progress.next, start)
    guard next < start + events.count else { return nil }
    loops[loop]?.next = next + 1
    return events[next - start]
  }

  // MARK: Acknowledgements

  /// What all loops have done with and the service doesn't know yet.
  var due: Acknowledgement? {
    if let end = loops.values.map(\.done).min(), end > start {
      let last = events[end - start - 1]
      return Acknowledgement(log: last.log, sequence: last.sequence, end: end)
    }
    // Else it would wait for ever for word of events that nobody is given again.
    guard isBehind, let log else { return nil }
    return Acknowledgement(log: log, sequence: acknowledged, end: start)
  }

  /// Whether a loop that left may have been what held something up: then nobody is about to say so.
  var isLeftDue: Bool { hasLeft && due != nil }

  /// Forgets what the service knows now to be done with.
  mutating func remove(_ acknowledgement: Acknowledgement) {
    hasLeft = false
    if acknowledgement.log == log {
      acknowledged = max(acknowledged, acknowledgement.sequence)
      // What is still to be read of it is done with too.
      lastSequence = max(lastSequence, acknowledged)
      isBehind = false
    }
    guard acknowledgement.end > start else { return }
    events.removeFirst(acknowledgement.end - start)
    start = acknowledgement.end
  }

  /// Forgets an event that was acknowledged by itself, and all before it.
  mutating func removeAll(through event: Monitor.Event) {
    // Those of a log that was set aside since lie before it.
    let last = events.lastIndex { $0.log == event.log && $0.sequence <= event.sequence }
    remove(
      Acknowledgement(
        log: event.log, sequence: event.sequence, end: start + (last.map { $0 + 1 } ?? 0)))
  }

  /// Forgets what isn't acknowledged, and all loops, because the consumer was removed: the next loop
  /// makes it again, and is given what these hadn't done with.
  ///
  /// - Parameter generation: that of who found it removed; somebody else may have found it before.
  mutating func beginAnew(after generation: Int) {
    guard generation == self.generation else { return }
    self.generation += 1
    loops = [:]
    start += events.count
    events = []
    lastSequence = acknowledged
    isBehind = false
  }

  // MARK: What comes

  /// Takes what the service sent, without what is here or was here already.
  ///
  /// - Throws: `protocolViolation`, when the service sends more at once than it may.
  mutating func append(_ reply: Consume.Reply) throws(MonitorError) {
    if reply.log != log {
      // Another log numbers anew.
      log = reply.log
      lastSequence = 0
      acknowledged = 0
      isBehind = false
      missed = nil
    }
    // What is here doesn't count: of that the service may know more than is known here, by an
    // acknowledgement whose reply is still under way, or by somebody else's, or have another log.
    guard reply.events.count <= Self.capacity else {
      throw .protocolViolation("geofenced sent more than \(Self.capacity) events at once")
    }
    if let lagged = reply.lagged { note(lagged) }
    for event in reply.events {
      guard event.sequence > lastSequence else {
        if event.sequence <= acknowledged { isBehind = true }
        continue
      }
      var event = Monitor.Event(event)
      event.missed = missed
      missed = nil
      lastSequence = event.sequence
      events.append(event)
    }
  }

  /// Takes note of events that are gone from the log; those that came before they went aren't missed.
  ///
  /// What no event has told of yet grows: the service says the same again with more to it, or only what
  /// is new.
  private mutating func note(_ lagged: Lagged) {
    let (first, last) = (Int(lagged.first), Int(lagged.last))
    guard first <= last, last > max(lastSequence, missed?.sequences.upperBound ?? 0) else { return }
    var range = max(first, lastSequence + 1)...last
    // How many lie before or after a number isn't known.
    var count = first > lastSequence ? lagged.events : nil
    if let missed, first > missed.sequences.lowerBound {
      range = missed.sequences.lowerBound...last
      let isApart = first > missed.sequences.upperBound
      count =
        if isApart, let before = missed.count, let count,
          case (let sum, false) = before.addingReportingOverflow(count)
        { sum } else { nil }
    }
    missed = Monitor.Event.Missed(sequences: range, count: count)
  }
}
