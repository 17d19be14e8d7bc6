/// How much a server lets its callers do.
package struct VarlinkLimits: Sendable, Hashable {
  /// The longest message that is read.
  package var maximumMessageBytes = 8 << 20

  /// How many bytes of long messages one user may have in memory over all its connections: requests
  /// until they are answered, and replies until they are read.
  ///
  /// One message always fits, and what is beyond 64 KiB of each counts.
  package var maximumMessageBytesPerUser = 32 << 20

  /// How many connections of root, and how many of all other users together, are served at a time.
  package var maximumConnections = 256

  /// How many connections of one user other than root are served at a time.
  package var maximumConnectionsPerUser = 64

  /// How many requests a user may make in a second, and at once, over all its connections.
  package var maximumRequestsPerSecond = 1000

  /// How long a message that has begun may take to be complete.
  package var partialMessageTimeout: Duration = .seconds(10)

  /// How long a caller may leave a reply unread.
  package var writeTimeout: Duration = .seconds(10)

  package init() {}
}
