/// The limits of what callers of a server may do.
package struct VarlinkLimits: Sendable, Hashable {
  /// The longest message that is read, in bytes.
  package var maximumMessageBytes = 8 << 20

  /// How many bytes of long messages one user may have in memory over all its connections.
  ///
  /// Requests count until they are answered, replies until they are read. The first 64 KiB of each message don't count,
  /// and a single message always fits.
  package var maximumMessageBytesPerUser = 32 << 20

  /// How many connections of root, and as many of all other users together, are served at a time.
  package var maximumConnections = 256

  /// How many connections of one user other than root are served at a time.
  package var maximumConnectionsPerUser = 64

  /// How many requests a user may make per second, over all its connections; all of them may come at once.
  package var maximumRequestsPerSecond = 1000

  /// How long a message may take from its first byte to its last.
  package var partialMessageTimeout: Duration = .seconds(10)

  /// How long a caller may leave a reply unread.
  package var writeTimeout: Duration = .seconds(10)

  package init() {}
}
