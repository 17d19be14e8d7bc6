/// A host's name that no address is known for.
package struct HostNotFound: Error, CustomStringConvertible {
  package let host: String
  package let reason: String
  package var description: String { "host '\(host)' was not found: \(reason)" }
}
