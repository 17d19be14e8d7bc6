import LinuxSystem

/// Reads the long requests of one user one after the other, on a thread of its own.
///
/// To check a polygon of very many corners takes seconds, and to read a long message many times its
/// memory. So a user has one of them read at a time, and none keeps the threads busy on which all others
/// are answered.
actor RequestReader {
  private let executor = SerialQueueExecutor(label: "geofenced.requests")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// From how many bytes on a request is long.
  static let long = 16_384

  /// The parameters of a request.
  ///
  /// - Throws: the ``VarlinkError`` that says what is wrong with them, or `CancellationError` where
  ///   nobody waits any more for what a reply would say.
  func input<Input: Decodable & SendableMetatype>(
    of request: VarlinkRequest
  ) throws -> sending Input {
    try Task.checkCancellation()
    guard request.isOneway || !request.socket.isHungUp else { throw CancellationError() }
    return try request.parameters()
  }
}
