package import JSONCoding

/// A reply that writes its members itself, in the order of their names: for those of which most is JSON
/// already.
package protocol WrittenReply {
  func write(to reply: inout JSONWriter) throws
}
