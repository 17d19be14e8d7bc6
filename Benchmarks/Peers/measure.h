// How every program here is measured, and the one line in which it says what came of it.
#ifndef MEASURE_H
#define MEASURE_H

#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

// How many conditions contain a position.
typedef size_t containment(void *index, double latitude, double longitude);

// Over how many positions the answers are summed for being checked.
#define CHECKED_FIXES 2000
#define CHECKED_DEVICES 1000

// What came of it; what is NAN, or -1 for whole numbers, wasn't measured.
typedef struct {
  const char *name;
  const char *version;
  const char *note;
  // Seconds from the circles in memory to an index that answers.
  double build;
  // What the index and what it rests on occupy, in bytes.
  double memory;
  // Nanoseconds a fix of the track: the first time, and when it is repeated.
  double first_track, track;
  // Nanoseconds a device, alike.
  double first_devices, devices;
  // The conditions that contain the first CHECKED_FIXES and CHECKED_DEVICES, summed.
  long track_total, device_total;
  // How often the whole track entered or left a condition.
  long events;
} result;

// A result of which nothing is known yet but the names.
result result_named(const char *name, const char *version);

// Asks for the positions of the track and of the devices one by one.
//
// A first pass, then as many as fit into the time; a pass that takes longer ends early, but not
// before what is checked.
void measure_containment(containment *query, void *index, const workload *load, result *result);

// Prints a result as a line of JSON.
void result_print(const result *result);

// Which clock measure_containment goes by: by default the processor time of this process, so that
// other work on the machine counts little. Who waits for a server goes by the time of day.
void measure_by_wall_clock(void);

// Seconds by that clock.
double seconds(void);

// How long one figure is measured, in seconds: the environment's BENCH_SECONDS, else 0.2.
double patience(void);

// What this process occupies in bytes, files apart.
double memory_in_use(void);

// A figure of a process from /proc/PID/status in bytes, such as "RssAnon".
double memory_of(int process, const char *key);

#ifdef __cplusplus
}
#endif

#endif
