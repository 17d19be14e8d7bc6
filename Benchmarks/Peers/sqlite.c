// SQLite's R*Tree in memory, with the circles stored beside the rectangles, and checked on the sphere in C.
//
//   sqlite FOLDER
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "measure.h"

typedef struct {
  sqlite3 *database;
  sqlite3_stmt *query;
} index_database;

static void run(sqlite3 *database, const char *text) {
  if (sqlite3_exec(database, text, NULL, NULL, NULL) != SQLITE_OK) {
    fail("sqlite: %s", sqlite3_errmsg(database));
  }
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *text) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, text, -1, &statement, NULL) != SQLITE_OK) {
    fail("sqlite: %s", sqlite3_errmsg(database));
  }
  return statement;
}

static void build(index_database *index, const workload *load) {
  if (sqlite3_open(":memory:", &index->database) != SQLITE_OK) fail("sqlite: no database");
  run(index->database,
      "CREATE VIRTUAL TABLE circles USING rtree(id, west, east, south, north, +latitude REAL,"
      " +longitude REAL, +radius REAL)");
  run(index->database, "BEGIN");
  sqlite3_stmt *insert =
      prepare(index->database, "INSERT INTO circles VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (size_t number = 0; number < load->circle_count; number++) {
    const circle *circle = &load->circles[number];
    rectangle box = workload_rectangle(circle);
    sqlite3_bind_int64(insert, 1, (sqlite3_int64)number);
    sqlite3_bind_double(insert, 2, box.west);
    sqlite3_bind_double(insert, 3, box.east);
    sqlite3_bind_double(insert, 4, box.south);
    sqlite3_bind_double(insert, 5, box.north);
    sqlite3_bind_double(insert, 6, circle->latitude);
    sqlite3_bind_double(insert, 7, circle->longitude);
    sqlite3_bind_double(insert, 8, circle->radius);
    if (sqlite3_step(insert) != SQLITE_DONE) fail("sqlite: %s", sqlite3_errmsg(index->database));
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  run(index->database, "COMMIT");
  index->query = prepare(
      index->database,
      "SELECT latitude, longitude, radius FROM circles"
      " WHERE west <= ?1 AND east >= ?1 AND south <= ?2 AND north >= ?2");
}

// The distance in metres on a sphere (haversine).
static double distance(double latitude1, double longitude1, double latitude2, double longitude2) {
  double north = sin((latitude2 - latitude1) * RADIANS / 2);
  double east = sin((longitude2 - longitude1) * RADIANS / 2);
  double square = north * north
      + cos(latitude1 * RADIANS) * cos(latitude2 * RADIANS) * east * east;
  return 2 * MEAN_RADIUS * asin(sqrt(square));
}

static size_t count_containing(void *context, double latitude, double longitude) {
  sqlite3_stmt *query = ((index_database *)context)->query;
  sqlite3_bind_double(query, 1, longitude);
  sqlite3_bind_double(query, 2, latitude);
  size_t total = 0;
  while (sqlite3_step(query) == SQLITE_ROW) {
    total += distance(
        latitude, longitude, sqlite3_column_double(query, 0), sqlite3_column_double(query, 1))
        <= sqlite3_column_double(query, 2);
  }
  sqlite3_reset(query);
  return total;
}

int main(int count, char **words) {
  if (count != 2) fail("usage: sqlite FOLDER");
  workload load = workload_open(words[1]);
  index_database index;
  char version[64] = "SQLite ";
  result result = result_named("sqlite-rtree", strcat(version, sqlite3_libversion()));
  double before = memory_in_use(), began = seconds();
  build(&index, &load);
  result.build = seconds() - began;
  result.memory = memory_in_use() - before;
  measure_containment(count_containing, &index, &load, &result);
  result_print(&result);
  return 0;
}
