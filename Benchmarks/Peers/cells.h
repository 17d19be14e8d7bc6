// Cells of equal height and width in degrees, into which the limit programs divide the area of the workload.
#ifndef CELLS_H
#define CELLS_H

#include <math.h>

#include "workload.h"

// All in degrees, unless noted.
typedef struct {
  double south, west;
  double height, width;
  // The number of cells per degree.
  double rows_per_degree, columns_per_degree;
  int rows, columns;
} cells;

// Cells of a size in metres that cover the centres of all circles, and some space around them.
static inline cells cells_around(const circle *circles, size_t count, double metres) {
  double south = 90, north = -90, west = 180, east = -180;
  for (size_t index = 0; index < count; index++) {
    south = fmin(south, circles[index].latitude);
    north = fmax(north, circles[index].latitude);
    west = fmin(west, circles[index].longitude);
    east = fmax(east, circles[index].longitude);
  }
  south -= 0.01, north += 0.01, west -= 0.015, east += 0.015;
  cells cells = {.south = south, .west = west};
  cells.height = metres / 111200;
  cells.width = metres / (111320 * cos((south + north) / 2 * RADIANS));
  cells.rows_per_degree = 1 / cells.height;
  cells.columns_per_degree = 1 / cells.width;
  cells.rows = (int)((north - south) * cells.rows_per_degree) + 2;
  cells.columns = (int)((east - west) * cells.columns_per_degree) + 2;
  return cells;
}

static inline size_t cells_count(const cells *cells) {
  return (size_t)cells->rows * cells->columns;
}

// The row and the column of a position, with fractions; false outside of all cells.
static inline int cells_find(
    const cells *cells, double latitude, double longitude, double *row, double *column) {
  *row = (latitude - cells->south) * cells->rows_per_degree;
  *column = (longitude - cells->west) * cells->columns_per_degree;
  return *row >= 0 && *column >= 0 && *row < cells->rows && *column < cells->columns;
}

typedef struct {
  int first_row, last_row, first_column, last_column;
} cell_range;

static inline int clamp(int value, int limit) {
  return value < 0 ? 0 : value >= limit ? limit - 1 : value;
}

// A radius in metres, on a plane in degrees, that surely contains a circle and all that is closer to it than the
// margin: the circle's own radius plus the variation of a degree's length, and half a metre.
static inline double cells_reach(const circle *circle, double margin) {
  return circle->radius * 1.003 + 0.5 + margin;
}

// The range of cells around a circle.
static inline cell_range cells_near(const cells *cells, const circle *circle, double margin) {
  double reach = cells_reach(circle, margin);
  double high = reach / 110500;
  double wide = reach / (111320 * cos((fabs(circle->latitude) + high) * RADIANS)) * 1.001;
  double row = circle->latitude - cells->south, column = circle->longitude - cells->west;
  return (cell_range){
      clamp((int)((row - high) * cells->rows_per_degree), cells->rows),
      clamp((int)((row + high) * cells->rows_per_degree), cells->rows),
      clamp((int)((column - wide) * cells->columns_per_degree), cells->columns),
      clamp((int)((column + wide) * cells->columns_per_degree), cells->columns)};
}

// Whether a circle with its margin reaches into one of the cells around it.
static inline int cells_reached(
    const cells *cells, const circle *circle, double margin, int row, int column) {
  double south = cells->south + row * cells->height;
  double west = cells->west + column * cells->width;
  double up = 0, right = 0;
  if (circle->latitude < south) up = south - circle->latitude;
  if (circle->latitude > south + cells->height) up = circle->latitude - south - cells->height;
  if (circle->longitude < west) right = west - circle->longitude;
  if (circle->longitude > west + cells->width) right = circle->longitude - west - cells->width;
  up *= 110500;
  right *= 111320 * cos((fabs(circle->latitude) + 0.01) * RADIANS);
  double reach = cells_reach(circle, margin);
  return up * up + right * right <= reach * reach;
}

#endif
