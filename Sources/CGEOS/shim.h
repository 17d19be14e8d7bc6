#ifndef CGEOS_SHIM_H
#define CGEOS_SHIM_H

// Only the functions with a context, which several threads may call at the same time.
#define GEOS_USE_ONLY_R_API
#include <geos_c.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

// The time limit of a thread for calls of GEOS. Only one file may include these functions, as each that does has
// limits of its own.

// The processor time of the thread at which its limit ends, in nanoseconds; 0 is without a limit.
static inline int64_t *geos_end(void) {
  static _Thread_local int64_t end;
  return &end;
}

static inline int64_t geos_processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// Whether the thread has a limit.
static inline bool geos_is_limited(void) { return *geos_end() != 0; }

// Whether the thread has used up its limit.
static inline bool geos_is_over(void) {
  return geos_is_limited() && geos_processor_time() >= *geos_end();
}

// Limits the thread to so many nanoseconds of processor time from now on; 0 removes the limit.
static inline void geos_limit(int64_t nanoseconds) {
  *geos_end() = nanoseconds == 0 ? 0 : geos_processor_time() + nanoseconds;
}

#endif
