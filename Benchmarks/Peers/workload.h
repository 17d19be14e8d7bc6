// The common workload, with which every program here is measured.
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
  // The fixes of one vehicle, one per second.
  const position *track;
  size_t track_length;
  // Positions of devices that are independent of each other.
  const position *devices;
  size_t device_count;
} workload;

// Maps the files of a folder; ends the program with an error message if they can't be read.
workload workload_open(const char *folder);

// Whether the circles are those of the dense city (set B), not those spread evenly (set A).
int workload_is_city(const workload *load);

// The number of corners of a circle's polygon.
#define CORNERS 32

// The mean radius of the Earth in metres, used to make polygons from circles.
#define MEAN_RADIUS 6371008.8

#define RADIANS 0.017453292519943295

// A circle as a polygon that is planar in degrees; the last corner repeats the first.
void workload_polygon(const circle *circle, position corners[CORNERS + 1]);

// A rectangle slightly larger than a circle, which surely contains it, for indexes of rectangles.
typedef struct {
  double south, west, north, east;
} rectangle;

rectangle workload_rectangle(const circle *circle);

// Ends the program with an error message on standard error.
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
