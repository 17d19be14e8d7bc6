// The common workload: what every program here is measured with.
//
// `bench-conditions` writes it into a folder; Benchmarks/Conditions/Workload.swift says how it is drawn.
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Degrees and metres.
typedef struct {
  double latitude, longitude, radius;
} circle;

typedef struct {
  double latitude, longitude;
} position;

typedef struct {
  const char *folder;
  const circle *circles;
  size_t circle_count;
  // One vehicle, a fix a second.
  const position *track;
  size_t track_length;
  // Devices that have nothing to do with one another.
  const position *devices;
  size_t device_count;
} workload;

// Maps the files of a folder; ends the program with a sentence when they can't be read.
workload workload_open(const char *folder);

// Whether the circles are those of the dense city (set B) rather than spread evenly (set A).
int workload_is_city(const workload *load);

// How many corners a circle has as a polygon.
#define CORNERS 32

// The mean radius of the Earth in metres, by which circles become polygons.
#define MEAN_RADIUS 6371008.8

#define RADIANS 0.017453292519943295

// A circle as a polygon that is planar in degrees; the last corner is the first again.
void workload_polygon(const circle *circle, position corners[CORNERS + 1]);

// A rectangle that surely holds a circle, for indexes of rectangles: a little more than the circle.
typedef struct {
  double south, west, north, east;
} rectangle;

rectangle workload_rectangle(const circle *circle);

// Ends the program with a sentence on standard error.
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
