// How every program here is measured, and the line in which it prints its results.
#ifndef MEASURE_H
#define MEASURE_H

#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns the number of conditions that contain a position.
typedef size_t containment(void *index, double latitude, double longitude);

// The numbers of positions over which the answers are summed for the check.
#define CHECKED_FIXES 2000
#define CHECKED_DEVICES 1000

// A result; figures that weren't measured are NAN, or -1 for whole numbers.
typedef struct {
  const char *name;
  const char *version;
  const char *note;
  // Seconds from the circles in memory to an index that answers.
  double build;
  // The memory of the index and all that it needs, in bytes.
  double memory;
  // Nanoseconds for a fix of the track: in the first pass, and in repeated ones.
  double first_track, track;
  // The same for a device.
  double first_devices, devices;
  // The number of conditions that contain a position, summed over the first CHECKED_FIXES and CHECKED_DEVICES.
  long track_total, device_total;
  // How often the whole track entered or left a condition.
  long events;
} result;

// A result with only its names.
result result_named(const char *name, const char *version);

// Asks for the positions of the track and of the devices, one by one.
//
// After the first pass come as many as fit into the time. A pass that takes longer ends early, but not before all
// positions to check are done.
void measure_containment(containment *query, void *index, const workload *load, result *result);

// Prints a result as a line of JSON.
void result_print(const result *result);

// Makes measure_containment use the time of day, for programs that wait for a server. By default it uses the processor
// time of this process, so that other work on the machine matters little.
void measure_by_wall_clock(void);

// The time of that clock, in seconds.
double seconds(void);

// How long one figure is measured, in seconds: BENCH_SECONDS in the environment, or else 0.2.
double patience(void);

// The memory of this process in bytes, without files.
double memory_in_use(void);

// A figure of a process from /proc/PID/status in bytes, such as "RssAnon".
double memory_of(int process, const char *key);

#ifdef __cplusplus
}
#endif

#endif
