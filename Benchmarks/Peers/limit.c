// The limit of the machine: a grid made for this workload, first stateless, then with events, and then with events and
// without evaluating fixes at which nothing can have changed.
//
//   limit FOLDER
#include <stdio.h>

#include "grid.h"
#include "measure.h"

static size_t count_containing(void *index, double latitude, double longitude) {
  return grid_query(index, latitude, longitude, NULL, NULL);
}

// The number of circles that are in only one of the sets.
static long differences(const circle_set *a, const circle_set *b) {
  uint32_t i = 0, j = 0;
  long count = 0;
  while (i < a->count && j < b->count) {
    if (a->identifiers[i] == b->identifiers[j]) {
      i++, j++;
    } else {
      count++;
      if (a->identifiers[i] < b->identifiers[j]) i++; else j++;
    }
  }
  return count + (a->count - i) + (b->count - j);
}

// The number of events of the track, if each fix is evaluated.
static long follow(const grid *grid, const workload *load, circle_set sets[2]) {
  circle_set *before = &sets[0], *now = &sets[1];
  before->count = 0;
  long events = 0;
  for (size_t fix = 0; fix < load->track_length; fix++) {
    grid_query(grid, load->track[fix].latitude, load->track[fix].longitude, now, NULL);
    events += differences(before, now);
    circle_set *swap = before;
    before = now, now = swap;
  }
  return events;
}

// The same, without evaluating fixes that are closer to the last evaluated one than any line.
static long follow_and_skip(
    const grid *grid, const workload *load, circle_set sets[2], long *skipped) {
  // The most metres in a degree of latitude, so that no distance is underestimated.
  const double metres = 111700;
  circle_set *before = &sets[0], *now = &sets[1];
  before->count = 0;
  position evaluated = {0, 0};
  double scale = 0, safe_squared = -1;
  long events = 0;
  *skipped = 0;
  for (size_t fix = 0; fix < load->track_length; fix++) {
    position position = load->track[fix];
    double north = (position.latitude - evaluated.latitude) * metres;
    double east = (position.longitude - evaluated.longitude) * scale;
    if (north * north + east * east < safe_squared) {
      ++*skipped;
      continue;
    }
    double clearance;
    grid_query(grid, position.latitude, position.longitude, now, &clearance);
    evaluated = position;
    scale = metres * cos((fabs(position.latitude) - 0.01) * RADIANS);
    safe_squared = clearance > 0 ? clearance * clearance : -1;
    events += differences(before, now);
    circle_set *swap = before;
    before = now, now = swap;
  }
  return events;
}

static void measure_events(
    const grid *grid, const workload *load, int skips, result *result, char note[100]) {
  circle_set sets[2] = {grid_set(grid), grid_set(grid)};
  double began = seconds(), passes = 0, first = 0;
  long skipped = 0;
  do {
    result->events =
        skips ? follow_and_skip(grid, load, sets, &skipped) : follow(grid, load, sets);
    if (passes++ == 0) first = seconds() - began;
  } while (seconds() - began < patience());
  result->first_track = first * 1e9 / load->track_length;
  result->track = (seconds() - began) * 1e9 / passes / load->track_length;
  if (skips) {
    snprintf(
        note, 100, "%.1f %% of the fixes skipped", 100.0 * skipped / load->track_length);
    result->note = note;
  }
}

int main(int count, char **words) {
  if (count != 2) fail("usage: limit FOLDER");
  workload load = workload_open(words[1]);
  grid grid;
  double before = memory_in_use(), began = seconds();
  grid_build(&grid, load.circles, load.circle_count, grid_best_cells(&load), grid_best_margin(&load));
  double build = seconds() - began, memory = memory_in_use() - before;

  const char *version = "C, AVX2";
  char note[100];
  snprintf(
      note, sizeof note, "cells of %.0f m, margin %.0f m", grid_best_cells(&load),
      grid_best_margin(&load));
  result stateless = result_named("limit-stateless", version);
  stateless.note = note;
  measure_containment(count_containing, &grid, &load, &stateless);
  result_print(&stateless);

  result events = result_named("limit-events", version);
  events.build = build, events.memory = memory;
  measure_events(&grid, &load, 0, &events, note);
  result_print(&events);

  result skipping = result_named("limit-events-skip", version);
  measure_events(&grid, &load, 1, &skipping, note);
  result_print(&skipping);
  return 0;
}
