#include "measure.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static clockid_t clock_in_use = CLOCK_PROCESS_CPUTIME_ID;

void measure_by_wall_clock(void) { clock_in_use = CLOCK_MONOTONIC; }

double seconds(void) {
  struct timespec now;
  clock_gettime(clock_in_use, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

double patience(void) {
  const char *text = getenv("BENCH_SECONDS");
  double value = text ? strtod(text, NULL) : 0;
  return value > 0 ? value : 0.2;
}

double memory_of(int process, const char *key) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/status", process);
  FILE *file = fopen(path, "r");
  if (!file) return NAN;
  double bytes = NAN;
  size_t length = strlen(key);
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, key, length) == 0 && line[length] == ':') {
      bytes = strtod(line + length + 1, NULL) * 1024;
      break;
    }
  }
  fclose(file);
  return bytes;
}

double memory_in_use(void) {
  // Memory that was freed counts as used until it is given back.
  malloc_trim(0);
  return memory_of(getpid(), "RssAnon");
}

result result_named(const char *name, const char *version) {
  return (result){name, version, "", NAN, NAN, NAN, NAN, NAN, NAN, -1, -1, -1};
}

// Asks for positions until all are done or the time is over; returns how many are done.
static size_t pass(
    containment *query, void *index, const position *positions, size_t count, size_t checked,
    double until, long *total) {
  size_t done = 0, sum = 0;
  while (done < count) {
    // Read the clock only seldom: reading it costs more than an answer.
    size_t end = done + 256 < count ? done + 256 : count;
    if (done < checked && end > checked) end = checked;
    for (; done < end; done++) {
      sum += query(index, positions[done].latitude, positions[done].longitude);
    }
    if (done == checked) *total = sum;
    if (done >= checked && seconds() > until) break;
  }
  return done;
}

static void measure_positions(
    containment *query, void *index, const position *positions, size_t count, size_t checked,
    double *first, double *repeated, long *total) {
  double began = seconds();
  size_t done = pass(query, index, positions, count, checked, began + patience(), total);
  *first = (seconds() - began) * 1e9 / done;

  began = seconds();
  double end = began + patience();
  size_t asked = 0;
  do {
    asked += pass(query, index, positions, count, checked, end, total);
  } while (seconds() < end);
  *repeated = (seconds() - began) * 1e9 / asked;
}

void measure_containment(containment *query, void *index, const workload *load, result *result) {
  measure_positions(
      query, index, load->track, load->track_length, CHECKED_FIXES, &result->first_track,
      &result->track, &result->track_total);
  measure_positions(
      query, index, load->devices, load->device_count, CHECKED_DEVICES, &result->first_devices,
      &result->devices, &result->device_total);
}

static void print_number(const char *name, double value) {
  if (!isnan(value)) printf(",\"%s\":%.9g", name, value);
}

static void print_count(const char *name, long value) {
  if (value >= 0) printf(",\"%s\":%ld", name, value);
}

void result_print(const result *result) {
  printf(
      "{\"name\":\"%s\",\"version\":\"%s\",\"note\":\"%s\"", result->name, result->version,
      result->note);
  print_number("build", result->build);
  print_number("memory", result->memory);
  print_number("firstTrack", result->first_track);
  print_number("track", result->track);
  print_number("firstDevices", result->first_devices);
  print_number("devices", result->devices);
  print_count("trackTotal", result->track_total);
  print_count("deviceTotal", result->device_total);
  print_count("events", result->events);
  puts("}");
  fflush(stdout);
}
