#include "grid.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) fail("no memory for %zu times %zu bytes", count, size);
  return memory;
}

double grid_best_cells(const workload *load) {
  if (load->circle_count >= 1000000) return 200;
  if (load->circle_count >= 100000) return 250;
  if (load->circle_count >= 10000) return 300;
  return 1000;
}

double grid_best_margin(const workload *load) {
  // With many circles there are no gaps in which to skip, and neither are there in the city.
  if (workload_is_city(load) || load->circle_count >= 1000000) return 0;
  if (load->circle_count >= 100000) return 25;
  if (load->circle_count >= 10000) return 200;
  return 3000;
}

static point surface_point(double latitude, double longitude) {
  double sine = sin(latitude * RADIANS), cosine = cos(latitude * RADIANS);
  double normal = WGS84_AXIS / sqrt(1 - WGS84_ECCENTRICITY_SQUARED * sine * sine);
  return (point){
      normal * cosine * cos(longitude * RADIANS), normal * cosine * sin(longitude * RADIANS),
      normal * (1 - WGS84_ECCENTRICITY_SQUARED) * sine};
}

static void lay_tiles(grid *grid) {
  const cells *cells = &grid->cells;
  int tile_rows = cells->rows / TILE + 1;
  grid->tile_columns = cells->columns / TILE + 1;
  grid->tiles = allocate((size_t)tile_rows * grid->tile_columns, sizeof(tile));
  for (int row = 0; row < tile_rows; row++) {
    for (int column = 0; column < grid->tile_columns; column++) {
      tile *tile = &grid->tiles[row * grid->tile_columns + column];
      tile->latitude = cells->south + (row + 0.5) * TILE * cells->height;
      tile->longitude = cells->west + (column + 0.5) * TILE * cells->width;
      tile->sine_latitude = sin(tile->latitude * RADIANS);
      tile->cosine_latitude = cos(tile->latitude * RADIANS);
      tile->sine_longitude = sin(tile->longitude * RADIANS);
      tile->cosine_longitude = cos(tile->longitude * RADIANS);
      tile->origin = surface_point(tile->latitude, tile->longitude);
    }
  }
}

// Writes the list of a cell, from the numbers of its circles.
static void write_list(
    const grid *grid, float *list, const uint32_t *identifiers, uint32_t count, point origin) {
  for (uint32_t index = 0; index < count; index++) {
    const exact_circle *circle = &grid->circles[identifiers[index]];
    list[index] = (float)(circle->center.x - origin.x);
    list[count + index] = (float)(circle->center.y - origin.y);
    list[2 * count + index] = (float)(circle->center.z - origin.z);
    list[3 * count + index] = (float)circle->radius;
  }
  memcpy(list + 4 * (size_t)count, identifiers, count * sizeof *identifiers);
}

void grid_build(
    grid *grid, const circle *circles, size_t count, double cell_metres, double margin) {
  *grid = (struct grid){.margin = margin, .circle_count = count};
  grid->cells = cells_around(circles, count, cell_metres);
  const cells *cells = &grid->cells;
  size_t cell_count = cells_count(cells);
  lay_tiles(grid);
  grid->circles = allocate(count, sizeof(exact_circle));
  // Two elements more: while the lists are filled, the end of each is counted in the next element.
  grid->starts = allocate(cell_count + 2, sizeof(uint32_t));
  uint32_t *identifiers = NULL;
  for (int is_counted = 0; is_counted <= 1; is_counted++) {
    for (size_t index = 0; index < count; index++) {
      const circle *circle = &circles[index];
      cell_range range = cells_near(cells, circle, margin);
      for (int row = range.first_row; row <= range.last_row; row++) {
        for (int column = range.first_column; column <= range.last_column; column++) {
          if (!cells_reached(cells, circle, margin, row, column)) continue;
          size_t cell = (size_t)row * cells->columns + column;
          if (is_counted) {
            identifiers[grid->starts[cell + 1]++] = (uint32_t)index;
          } else {
            grid->starts[cell + 2]++;
          }
        }
      }
      if (is_counted) continue;
      grid->circles[index].center = surface_point(circle->latitude, circle->longitude);
      grid->circles[index].radius = circle->radius;
    }
    if (is_counted) continue;
    for (size_t cell = 2; cell < cell_count + 2; cell++) {
      if (grid->starts[cell] > grid->longest) grid->longest = grid->starts[cell];
      grid->starts[cell] += grid->starts[cell - 1];
    }
    identifiers = allocate(grid->starts[cell_count + 1] + 1, sizeof(uint32_t));
  }
  // Eight elements more, because the last circles are loaded together with what follows them.
  grid->lists = allocate((size_t)grid->starts[cell_count] * 5 + 64, sizeof(float));
  for (size_t cell = 0; cell < cell_count; cell++) {
    uint32_t start = grid->starts[cell], length = grid->starts[cell + 1] - start;
    if (length == 0) continue;
    size_t row = cell / cells->columns, column = cell % cells->columns;
    const tile *tile = &grid->tiles[row / TILE * grid->tile_columns + column / TILE];
    write_list(
        grid, grid->lists + (size_t)start * 5, identifiers + start, length, tile->origin);
  }
  free(identifiers);
}

circle_set grid_set(const grid *grid) {
  return (circle_set){allocate(grid->longest + 1, sizeof(uint32_t)), 0};
}
