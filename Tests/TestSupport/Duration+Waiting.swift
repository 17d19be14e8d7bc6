extension Duration {
  /// How long a test waits for what must come: only what hangs takes so long.
  ///
  /// It says nothing about how fast anything is. A machine may be twenty times slower than another and
  /// stop for seconds, and a test must not notice.
  package static let untilItHangs = Duration.seconds(300)
}
