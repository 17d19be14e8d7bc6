import Glibc

/// The processor time that the other threads of this process take while this one takes so much.
///
/// What waits takes none of it on any machine; what turns round and round gets its share beside this thread.
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
