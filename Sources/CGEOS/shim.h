#ifndef CGEOS_SHIM_H
#define CGEOS_SHIM_H

// Only the functions that take a context, and so may be called by several threads.
#define GEOS_USE_ONLY_R_API
#include <geos_c.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

// The time that a thread has for what it asks of GEOS. These are used from one file: each that includes them
// has its own.

// Until which processor time of the thread it is to go on, in nanoseconds; 0 is for ever.
static inline int64_t *geos_end(void) {
  static _Thread_local int64_t end;
  return &end;
}

static inline int64_t geos_processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// Whether geos_limit() gave the thread any.
static inline bool geos_is_limited(void) { return *geos_end() != 0; }

// Whether the thread has used it up.
static inline bool geos_is_over(void) {
  return geos_is_limited() && geos_processor_time() >= *geos_end();
}

// Gives the thread so many nanoseconds from now on; 0 is any number.
static inline void geos_limit(int64_t nanoseconds) {
  *geos_end() = nanoseconds == 0 ? 0 : geos_processor_time() + nanoseconds;
}

#endif
