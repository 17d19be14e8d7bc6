// The limit with less memory, and with polygons: each cell lists the numbers of its circles, and each circle is stored
// only once, near its neighbours.
//
//   compact FOLDER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "measure.h"

#define WGS84_AXIS 6378137.0
#define WGS84_ECCENTRICITY_SQUARED 6.69437999014131699613e-3

typedef struct {
  double x, y, z, radius_squared;
} exact_circle;

// A circle's polygon in degrees, and two circles in metres on the plane that touches the ellipsoid at its centre.
// Outside the outer circle, and inside the inner one, the corners needn't be looked at.
typedef struct {
  double latitude, longitude;
  double metres_north, metres_east;
  double outer_squared, inner_squared;
  position corners[CORNERS + 1];
} polygon;

typedef struct {
  cells cells;
  // The number of shapes listed before each cell, and the lists: indices into one of the arrays below.
  uint32_t *starts;
  uint32_t *names;
  exact_circle *circles;
  polygon *polygons;
} named_cells;

static double metres_of_cells(const workload *load) {
  return load->circle_count >= 1000000 && !workload_is_city(load) ? 300 : 500;
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) fail("no memory for %zu times %zu bytes", count, size);
  return memory;
}

typedef struct {
  uint64_t key;
  uint32_t index;
} place;

static int compare_places(const void *a, const void *b) {
  uint64_t x = ((const place *)a)->key, y = ((const place *)b)->key;
  return x < y ? -1 : x > y;
}

// The circles, sorted by blocks of cells, so that neighbours share cache lines.
static place *order(const cells *cells, const workload *load) {
  place *places = allocate(load->circle_count, sizeof *places);
  for (size_t index = 0; index < load->circle_count; index++) {
    double row, column;
    cells_find(
        cells, load->circles[index].latitude, load->circles[index].longitude, &row, &column);
    places[index].key = (uint64_t)(row / 4) * (cells->columns / 4 + 1) + (uint64_t)(column / 4);
    places[index].index = (uint32_t)index;
  }
  qsort(places, load->circle_count, sizeof *places, compare_places);
  return places;
}

static void find_point(double latitude, double longitude, double *x, double *y, double *z) {
  double sine = sin(latitude * RADIANS), cosine = cos(latitude * RADIANS);
  double normal = WGS84_AXIS / sqrt(1 - WGS84_ECCENTRICITY_SQUARED * sine * sine);
  *x = normal * cosine * cos(longitude * RADIANS);
  *y = normal * cosine * sin(longitude * RADIANS);
  *z = normal * (1 - WGS84_ECCENTRICITY_SQUARED) * sine;
}

static exact_circle exact(const circle *circle) {
  exact_circle exact = {.radius_squared = circle->radius * circle->radius};
  find_point(circle->latitude, circle->longitude, &exact.x, &exact.y, &exact.z);
  return exact;
}

static polygon polygon_of(const circle *circle) {
  polygon polygon = {.latitude = circle->latitude, .longitude = circle->longitude};
  polygon.metres_north = MEAN_RADIUS * RADIANS;
  polygon.metres_east = MEAN_RADIUS * cos(circle->latitude * RADIANS) * RADIANS;
  double outer = circle->radius + 1e-6, inner = circle->radius * cos(M_PI / CORNERS) - 1e-6;
  polygon.outer_squared = outer * outer;
  polygon.inner_squared = inner * inner;
  workload_polygon(circle, polygon.corners);
  return polygon;
}

static void build(named_cells *index, const workload *load, int has_polygons) {
  *index = (named_cells){
      .cells = cells_around(load->circles, load->circle_count, metres_of_cells(load))};
  const cells *cells = &index->cells;
  size_t cell_count = cells_count(cells);
  place *places = order(cells, load);
  if (has_polygons) {
    index->polygons = allocate(load->circle_count, sizeof *index->polygons);
  } else {
    index->circles = allocate(load->circle_count, sizeof *index->circles);
  }
  index->starts = allocate(cell_count + 2, sizeof *index->starts);
  for (int is_counted = 0; is_counted <= 1; is_counted++) {
    for (size_t number = 0; number < load->circle_count; number++) {
      const circle *circle = &load->circles[places[number].index];
      cell_range range = cells_near(cells, circle, 0);
      for (int row = range.first_row; row <= range.last_row; row++) {
        for (int column = range.first_column; column <= range.last_column; column++) {
          if (!cells_reached(cells, circle, 0, row, column)) continue;
          size_t cell = (size_t)row * cells->columns + column;
          if (is_counted) {
            index->names[index->starts[cell + 1]++] = (uint32_t)number;
          } else {
            index->starts[cell + 2]++;
          }
        }
      }
      if (is_counted) continue;
      if (has_polygons) {
        index->polygons[number] = polygon_of(circle);
      } else {
        index->circles[number] = exact(circle);
      }
    }
    if (is_counted) continue;
    for (size_t cell = 2; cell < cell_count + 2; cell++) {
      index->starts[cell] += index->starts[cell - 1];
    }
    index->names = allocate(index->starts[cell_count + 1] + 1, sizeof *index->names);
  }
  free(places);
}

// The list of a position's cell; returns its length.
static uint32_t find_names(
    const named_cells *index, double latitude, double longitude, const uint32_t **names) {
  double row, column;
  if (!cells_find(&index->cells, latitude, longitude, &row, &column)) return 0;
  size_t cell = (size_t)(int)row * index->cells.columns + (int)column;
  *names = index->names + index->starts[cell];
  return index->starts[cell + 1] - index->starts[cell];
}

static size_t circles_containing(void *context, double latitude, double longitude) {
  const named_cells *index = context;
  const uint32_t *names;
  uint32_t count = find_names(index, latitude, longitude, &names);
  if (count == 0) return 0;
  double px, py, pz;
  find_point(latitude, longitude, &px, &py, &pz);
  size_t total = 0;
  for (uint32_t name = 0; name < count; name++) {
    const exact_circle *circle = &index->circles[names[name]];
    double x = circle->x - px, y = circle->y - py, z = circle->z - pz;
    total += x * x + y * y + z * z <= circle->radius_squared;
  }
  return total;
}

// Whether a line from the position to the east crosses an odd number of edges, computed without branches.
static int crosses_odd(const polygon *polygon, double latitude, double longitude) {
  int is_odd = 0;
  for (int edge = 0; edge < CORNERS; edge++) {
    const position *a = &polygon->corners[edge], *b = &polygon->corners[edge + 1];
    int straddles = (a->latitude > latitude) != (b->latitude > latitude);
    double turn = (b->longitude - a->longitude) * (latitude - a->latitude)
        - (longitude - a->longitude) * (b->latitude - a->latitude);
    is_odd ^= straddles & ((turn > 0) == (b->latitude > a->latitude));
  }
  return is_odd;
}

static size_t polygons_containing(void *context, double latitude, double longitude) {
  const named_cells *index = context;
  const uint32_t *names;
  uint32_t count = find_names(index, latitude, longitude, &names);
  size_t total = 0;
  for (uint32_t name = 0; name < count; name++) {
    const polygon *polygon = &index->polygons[names[name]];
    double x = (longitude - polygon->longitude) * polygon->metres_east;
    double y = (latitude - polygon->latitude) * polygon->metres_north;
    double squared = x * x + y * y;
    if (squared > polygon->outer_squared) continue;
    if (squared < polygon->inner_squared) {
      total++;
    } else {
      total += crosses_odd(polygon, latitude, longitude);
    }
  }
  return total;
}

static void measure(const workload *load, int has_polygons) {
  named_cells index;
  result result = result_named(has_polygons ? "limit-polygons" : "limit-compact", "C");
  double before = memory_in_use(), began = seconds();
  build(&index, load, has_polygons);
  result.build = seconds() - began;
  result.memory = memory_in_use() - before;
  char note[100];
  snprintf(note, sizeof note, "cells of %.0f m", metres_of_cells(load));
  result.note = note;
  measure_containment(
      has_polygons ? polygons_containing : circles_containing, &index, load, &result);
  result_print(&result);
  free(index.starts);
  free(index.names);
  free(index.circles);
  free(index.polygons);
}

int main(int count, char **words) {
  if (count != 2) fail("usage: compact FOLDER");
  workload load = workload_open(words[1]);
  measure(&load, 0);
  measure(&load, 1);
  return 0;
}
