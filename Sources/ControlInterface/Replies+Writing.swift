import Geofencing
package import JSONCoding
import Varlink

// Replies with conditions, each of which may have very many positions. An encoder takes many times their memory, and
// keeps one of the threads busy that answer all calls.

extension MonitorRecord {
  fileprivate func write(to writer: inout JSONWriter) throws {
    try writer.object { writer in
      writer.member("accuracyLimited", accuracyLimited)
      writer.member("added", added.rfc3339)
      writer.name("condition")
      condition.write(to: &writer)
      writer.member("identifier", identifier)
      try writer.member("lastEvent", encoding: lastEvent)
      writer.member("monitor", monitor)
      writer.member("state", state.rawValue)
      writer.member("user", Int(user))
    }
  }
}

extension OutcomeReply: WrittenReply {
  package func write(to reply: inout JSONWriter) throws {
    reply.member("outcome", outcome.rawValue)
    reply.name("record")
    try record.write(to: &reply)
  }
}

extension Record.Reply: WrittenReply {
  package func write(to reply: inout JSONWriter) throws {
    reply.name("record")
    try record.write(to: &reply)
  }
}

extension List.Reply: WrittenReply {
  package func write(to reply: inout JSONWriter) throws {
    reply.name("records")
    try reply.array { reply in
      for record in records { try record.write(to: &reply) }
    }
    reply.member("revision", Int(revision))
  }
}

extension Advise.Reply: WrittenReply {
  package func write(to reply: inout JSONWriter) throws {
    reply.name("items")
    try reply.array { reply in
      for item in items {
        try reply.object { reply in
          reply.name("advice")
          try reply.write(encoding: item.advice)
          reply.name("condition")
          item.condition.write(to: &reply)
          reply.member("identifier", item.identifier)
          reply.member("monitor", item.monitor)
          reply.member("user", Int(item.user))
        }
      }
    }
  }
}

extension Explain.Reply: WrittenReply {
  package func write(to reply: inout JSONWriter) throws {
    reply.member("disconnection", disconnection)
    try reply.member("event", encoding: event)
    try reply.member("explanation", encoding: explanation)
    reply.member("lastFixAge", lastFixAge)
    reply.member("minimumSigma", minimumSigma)
    reply.member("nextProbe", nextProbe)
    try reply.member("present", encoding: present)
    if let record {
      reply.name("record")
      try record.write(to: &reply)
    }
    reply.member("storageFailure", storageFailure)
  }
}
