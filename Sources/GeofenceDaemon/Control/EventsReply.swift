import Geofencing
import JSONCoding
import MonitorStorage
import Varlink

/// A reply with events as they are stored, without decoding them.
///
/// Clients read it as ``Events/Reply`` or ``Consume/Reply``.
struct EventsReply: WrittenReply {
  let page: EventReader.Page

  /// Which log the events are of, for a consumer.
  var log: String?

  func write(to reply: inout JSONWriter) throws {
    reply.name("events")
    reply.array { events in
      for event in page.events { events.write(json: event.body) }
    }
    if let lagged = page.lagged {
      reply.name("lagged")
      try reply.write(encoding: lagged)
    }
    reply.member("log", log)
  }
}
