import Glibc

/// How long things take on the processor, as the C programs measure it: other work on the machine
/// counts little.
enum Stopwatch {
  /// How long one figure is measured, in seconds: as long as the C programs do.
  static let patience =
    getenv("BENCH_SECONDS").flatMap { Double(String(cString: $0)) } ?? 0.2

  /// The processor time of this process in seconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Nanoseconds that something takes for each of so many positions: the first time, and repeated until
  /// the time is over.
  ///
  /// - Parameter pass: does it for all, or ends early when the function it gets says that the time is
  ///   over; for how many it did it.
  static func measure(
    _ pass: (_ isOver: () -> Bool) -> Int
  ) -> (first: Double, repeated: Double) {
    func timed(isRepeated: Bool) -> Double {
      let began = now
      let end = began + patience
      var done = 0
      repeat { done += pass { now > end } } while isRepeated && now < end && done > 0
      return (now - began) * 1e9 / Double(max(done, 1))
    }
    return (timed(isRepeated: false), timed(isRepeated: true))
  }
}
