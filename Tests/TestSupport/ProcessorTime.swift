import Glibc

/// The processor time that the other threads of this process use while this thread uses a given time.
///
/// On any machine, a thread that waits uses almost none, and a thread that spins gets its share beside this one.
package func processorTimeOfOtherThreads(while own: Duration) -> Duration {
  func time(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let (all, began) = (time(CLOCK_PROCESS_CPUTIME_ID), time(CLOCK_THREAD_CPUTIME_ID))
  var mine = Duration.zero
  while mine < own { mine = time(CLOCK_THREAD_CPUTIME_ID) - began }
  return time(CLOCK_PROCESS_CPUTIME_ID) - all - mine
}
