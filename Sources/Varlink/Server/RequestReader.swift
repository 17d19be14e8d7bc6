import LinuxSystem

/// Reads the long requests of one user, one after the other, on its own thread.
///
/// Checking a polygon with very many corners takes seconds, and reading a long message takes many times its memory.
/// So only one such request of a user is read at a time, and the threads that answer all others stay free.
actor RequestReader {
  private let executor = SerialQueueExecutor(label: "geofenced.requests")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// The size in bytes from which a request counts as long.
  static let long = 16_384

  /// The parameters of a request.
  ///
  /// - Throws: a ``VarlinkError`` that says what is wrong with them, or `CancellationError` if nobody waits for the
  ///   reply any more.
  func input<Input: Decodable & SendableMetatype>(
    of request: VarlinkRequest
  ) throws -> sending Input {
    try Task.checkCancellation()
    guard request.isOneway || !request.socket.isHungUp else { throw CancellationError() }
    return try request.parameters()
  }
}
