internal import ControlInterface
internal import Geofencing

/// The events that came and aren't acknowledged yet, and how far each loop over them has got.
///
/// It is a plain value: ``Monitor`` reads, acknowledges and waits.
struct EventQueue: Sendable {
  /// Identifies a loop.
  struct Loop: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// The last event that a consumer has done with, as it is told to the service.
  struct Acknowledgement: Sendable, Hashable {
    let log: String
    let sequence: Int

    /// How many events it covers, counted from the first one that ever came.
    fileprivate let end: Int
  }

  /// From how many events on no more are read, and how many come at once at most: as many as the service sends without
  /// an acknowledgement.
  static let capacity = 100

  private struct Progress {
    /// The number of the event that the loop takes next.
    var next: Int

    /// How many events it has done with: all before the one that it has in hand.
    var done: Int
  }

  private var events: [Monitor.Event] = []

  /// How many events were acknowledged, which is also the number of the first one in ``events``.
  private var start = 0

  private var loops: [Loop: Progress] = [:]
  private var nextLoop = 0

  /// The log of the events that came last.
  private(set) var log: String?

  /// The number of the last event that came, or was acknowledged.
  private(set) var lastSequence = 0

  /// The last event that was acknowledged to the service.
  private var acknowledged = 0

  /// Whether the service sent events that were acknowledged before: the consumer was removed, or the service's disk has
  /// lost the acknowledgement, or it was under way.
  private var isBehind = false

  /// How many events the last loop had done with when it left and there was no other one.
  private var doneWithoutLoops = 0

  /// Whether a loop has left since the last acknowledgement.
  private var hasLeft = false

  /// The events that are gone from the log, until the next event tells of them.
  private var missed: Monitor.Event.Missed?

  /// How often the consumer was found removed.
  private(set) var generation = 0

  /// Whether nothing more is read until something is acknowledged.
  var isFull: Bool { events.count >= Self.capacity }

  /// Whether more than one event is here.
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

  /// Whether a loop is still valid: the consumer wasn't removed since it began.
  func hasLoop(_ loop: Loop) -> Bool { loops[loop] != nil }

  /// Ends a loop, so that acknowledgements don't wait for it any more.
  mutating func leave(_ loop: Loop) {
    let left = loops.removeValue(forKey: loop)
    if let left, loops.isEmpty { doneWithoutLoops = max(doneWithoutLoops, left.done) }
    hasLeft = true
  }

  /// Notes that a loop asks for its next event, and so has done with the one before.
  mutating func finishEvent(of loop: Loop) {
    guard let progress = loops[loop] else { return }
    loops[loop]?.done = progress.next
  }

  /// Takes the next event of a loop; nil if it isn't here yet.
  mutating func take(by loop: Loop) -> Monitor.Event? {
    guard let progress = loops[loop] else { return nil }
    // Events that were acknowledged since the loop began are over for it, too.
    let next = max(progress.next, start)
    guard next < start + events.count else { return nil }
    loops[loop]?.next = next + 1
    return events[next - start]
  }

  // MARK: Acknowledgements

  /// The acknowledgement of events that all loops have done with and the service doesn't know of yet; nil if there are
  /// none.
  var due: Acknowledgement? {
    if let end = loops.values.map(\.done).min(), end > start {
      let last = events[end - start - 1]
      return Acknowledgement(log: last.log, sequence: last.sequence, end: end)
    }
    // Repeated, because no loop gets these events again: without it the service would wait for ever.
    guard isBehind, let log else { return nil }
    return Acknowledgement(log: log, sequence: acknowledged, end: start)
  }

  /// Whether an acknowledgement is due that may have waited for a loop that left: no other loop notices that by itself.
  var isLeftDue: Bool { hasLeft && due != nil }

  /// Removes the events of an acknowledgement that the service has got.
  mutating func remove(_ acknowledgement: Acknowledgement) {
    hasLeft = false
    if acknowledgement.log == log {
      acknowledged = max(acknowledged, acknowledgement.sequence)
      // It may also cover events that are still to be read.
      lastSequence = max(lastSequence, acknowledged)
      isBehind = false
    }
    guard acknowledgement.end > start else { return }
    events.removeFirst(acknowledgement.end - start)
    start = acknowledgement.end
  }

  /// Removes an event that the program acknowledged itself, and all before it.
  mutating func removeAll(through event: Monitor.Event) {
    // Events of an older log, which was set aside, are in front of it and removed with it.
    let last = events.lastIndex { $0.log == event.log && $0.sequence <= event.sequence }
    remove(
      Acknowledgement(
        log: event.log, sequence: event.sequence, end: start + (last.map { $0 + 1 } ?? 0)))
  }

  /// Removes all events and loops, because the consumer was removed.
  ///
  /// The next loop makes the consumer again, and gets the events that weren't acknowledged.
  ///
  /// - Parameter generation: the generation in which that was noticed. If it isn't the present one, it was noticed
  ///   before.
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

  /// Takes events that the service sent, without those that came before.
  ///
  /// - Throws: `protocolViolation`, if the service sends more at once than it may.
  mutating func append(_ reply: Consume.Reply) throws(MonitorError) {
    if reply.log != log {
      // Another log begins with number 1 again.
      log = reply.log
      lastSequence = 0
      acknowledged = 0
      isBehind = false
      missed = nil
    }
    // Only the reply counts, and not the events that are here: the service may know of acknowledgements that
    // aren't known here yet, because their reply is under way or another program made them.
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

  /// Notes events that are gone from the log; those that came before aren't missed.
  ///
  /// They are added to what no event has told of yet: the service may repeat a range with more events, or tell only
  /// the new ones.
  private mutating func note(_ lagged: Lagged) {
    let (first, last) = (Int(lagged.first), Int(lagged.last))
    guard first <= last, last > max(lastSequence, missed?.sequences.upperBound ?? 0) else { return }
    var range = max(first, lastSequence + 1)...last
    // The count is of the whole range: for a part of it, it isn't known.
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
