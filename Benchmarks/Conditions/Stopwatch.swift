import Glibc

/// Measures processor time, as the C programs do, so that other work on the machine matters little.
enum Stopwatch {
  /// How long one figure is measured, in seconds, as in the C programs.
  static let patience =
    getenv("BENCH_SECONDS").flatMap { Double(String(cString: $0)) } ?? 0.2

  /// The processor time of this process in seconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Measures the nanoseconds for each position: in a first pass, and in passes repeated until the time is over.
  ///
  /// - Parameter pass: Handles all positions, or stops early once `isOver` returns true; returns how many it handled.
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
