// A grid at the limit of the machine: what a program can do that is made only for one kind of processor and for this
// workload.
//
// Each cell has its circles side by side, as differences in metres from a near origin, so that eight of them are
// judged at once with 32-bit numbers. If a position is within five millimetres of a circle's line, it is judged again
// with 64 bits. Distances are straight through WGS84's ellipsoid; for circles of up to 500 m, that is the length of
// the geodesic to an eighth of a micrometre.
#ifndef GRID_H
#define GRID_H

#include <immintrin.h>
#include <math.h>

#include "cells.h"

// A point in metres from the centre of the Earth.
typedef struct {
  double x, y, z;
} point;

// The origin of a block of cells, with values by which positions near it are found without computing sines.
typedef struct {
  double latitude, longitude;
  double sine_latitude, cosine_latitude, sine_longitude, cosine_longitude;
  point origin;
} tile;

// The number of rows and of columns of cells in a tile.
#define TILE 32

typedef struct {
  point center;
  double radius;
} exact_circle;

typedef struct grid {
  cells cells;
  // How far beyond its line a circle is listed, in metres: positions that close to it know of it.
  double margin;
  size_t circle_count;
  exact_circle *circles;
  tile *tiles;
  int tile_columns;
  // The number of circles listed before each cell.
  uint32_t *starts;
  // For each cell with n circles: n times x, y, z and radius, and n numbers of circles.
  float *lists;
  // The largest number of circles in one cell.
  uint32_t longest;
} grid;

// The circles that contain a position, in ascending order, with room for all circles of a cell.
typedef struct {
  uint32_t *identifiers;
  uint32_t count;
} circle_set;

void grid_build(
    grid *grid, const circle *circles, size_t count, double cell_metres, double margin);

// The size of the cells and the margin, in metres, that are best for a workload, found by trying.
double grid_best_cells(const workload *load);
double grid_best_margin(const workload *load);

circle_set grid_set(const grid *grid);

#define WGS84_AXIS 6378137.0
#define WGS84_ECCENTRICITY_SQUARED 6.69437999014131699613e-3

// The position as a point, by series for the sine and cosine of small angles from the tile's origin; within 10 km they
// leave out less than 1e-12.
static inline point tile_point(const tile *tile, double latitude, double longitude) {
  double north = (latitude - tile->latitude) * RADIANS;
  double east = (longitude - tile->longitude) * RADIANS;
  double north2 = north * north, east2 = east * east;
  double sine_north = north * (1 - north2 / 6 * (1 - north2 / 20));
  double cosine_north = 1 - north2 / 2 * (1 - north2 / 12);
  double sine_east = east * (1 - east2 / 6 * (1 - east2 / 20));
  double cosine_east = 1 - east2 / 2 * (1 - east2 / 12);
  double sine_latitude = tile->sine_latitude * cosine_north + tile->cosine_latitude * sine_north;
  double cosine_latitude = tile->cosine_latitude * cosine_north - tile->sine_latitude * sine_north;
  double sine_longitude = tile->sine_longitude * cosine_east + tile->cosine_longitude * sine_east;
  double cosine_longitude = tile->cosine_longitude * cosine_east - tile->sine_longitude * sine_east;
  double normal =
      WGS84_AXIS / sqrt(1 - WGS84_ECCENTRICITY_SQUARED * sine_latitude * sine_latitude);
  return (point){
      normal * cosine_latitude * cosine_longitude, normal * cosine_latitude * sine_longitude,
      normal * (1 - WGS84_ECCENTRICITY_SQUARED) * sine_latitude};
}

// Judges circles again with 64-bit numbers: those of eight within the band that contain the point.
static inline unsigned grid_judge_again(
    const grid *grid, const uint32_t *identifiers, point point, unsigned inside, unsigned band) {
  for (; band; band &= band - 1) {
    int lane = __builtin_ctz(band);
    const exact_circle *circle = &grid->circles[identifiers[lane]];
    double x = circle->center.x - point.x;
    double y = circle->center.y - point.y;
    double z = circle->center.z - point.z;
    if (x * x + y * y + z * z <= circle->radius * circle->radius) {
      inside |= 1u << lane;
    } else {
      inside &= ~(1u << lane);
    }
  }
  return inside;
}

static inline float least_lane(__m256 lanes) {
  float values[8];
  _mm256_storeu_ps(values, lanes);
  float least = values[0];
  for (int lane = 1; lane < 8; lane++) least = fminf(least, values[lane]);
  return least;
}

// The number of circles that contain a position.
//
// `set` (or NULL) gets these circles. `clearance` (or NULL) gets how many metres one can go in any direction without
// crossing a line.
static inline __attribute__((always_inline)) uint32_t grid_query(
    const grid *grid, double latitude, double longitude, circle_set *set, double *clearance) {
  const float far = 1e9f;
  if (set) set->count = 0;
  double row, column;
  if (!cells_find(&grid->cells, latitude, longitude, &row, &column)) {
    if (clearance) *clearance = 0;
    return 0;
  }
  size_t cell = (size_t)(int)row * grid->cells.columns + (int)column;
  uint32_t start = grid->starts[cell], count = grid->starts[cell + 1] - start;
  double free_metres = far;
  if (clearance) {
    // Beyond the cell and the margin there may be circles that aren't listed.
    double up = row - (int)row, right = column - (int)column;
    double vertical = fmin(up, 1 - up) * grid->cells.height * 110500;
    double horizontal = fmin(right, 1 - right) * grid->cells.width * 111320
        * cos((fabs(latitude) + 0.01) * RADIANS);
    free_metres = fmin(vertical, horizontal) + grid->margin;
    *clearance = free_metres - 0.01;
  }
  if (count == 0) return 0;

  const tile *tile = &grid->tiles[(int)row / TILE * grid->tile_columns + (int)column / TILE];
  point point = tile_point(tile, latitude, longitude);
  __m256 x = _mm256_set1_ps((float)(point.x - tile->origin.x));
  __m256 y = _mm256_set1_ps((float)(point.y - tile->origin.y));
  __m256 z = _mm256_set1_ps((float)(point.z - tile->origin.z));
  const __m256 sign = _mm256_set1_ps(-0.f), band_width = _mm256_set1_ps(0.005f);
  const __m256i lane_numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256 least = _mm256_set1_ps(far);
  const float *list = grid->lists + (size_t)start * 5;
  const uint32_t *identifiers = (const uint32_t *)(list + 4 * (size_t)count);
  uint32_t total = 0;
  for (uint32_t index = 0; index < count; index += 8) {
    __m256 dx = _mm256_sub_ps(_mm256_loadu_ps(list + index), x);
    __m256 dy = _mm256_sub_ps(_mm256_loadu_ps(list + count + index), y);
    __m256 dz = _mm256_sub_ps(_mm256_loadu_ps(list + 2 * count + index), z);
    __m256 squares = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
    // Negative inside.
    __m256 distance =
        _mm256_sub_ps(_mm256_sqrt_ps(squares), _mm256_loadu_ps(list + 3 * count + index));
    __m256 to_line = _mm256_andnot_ps(sign, distance);
    // After the last circle comes the next list.
    unsigned used = count - index >= 8 ? 0xff : (1u << (count - index)) - 1;
    unsigned inside = _mm256_movemask_ps(distance) & used;
    unsigned band = _mm256_movemask_ps(_mm256_cmp_ps(to_line, band_width, _CMP_LT_OQ)) & used;
    if (clearance) {
      __m256i left = _mm256_set1_epi32((int)(count - index));
      __m256 is_used = _mm256_castsi256_ps(_mm256_cmpgt_epi32(left, lane_numbers));
      least = _mm256_min_ps(least, _mm256_blendv_ps(_mm256_set1_ps(far), to_line, is_used));
    }
    if (__builtin_expect(band != 0, 0)) {
      inside = grid_judge_again(grid, identifiers + index, point, inside, band);
    }
    total += __builtin_popcount(inside);
    if (set) {
      for (; inside; inside &= inside - 1) {
        set->identifiers[set->count++] = identifiers[index + __builtin_ctz(inside)];
      }
    }
  }
  if (clearance) *clearance = fmin(free_metres, least_lane(least)) - 0.01;
  return total;
}

#endif
