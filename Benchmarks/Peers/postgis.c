// PostGIS: circles by ST_DWithin on geography, and polygons by ST_Covers, with GiST indexes.
//
//   postgis FOLDER CONNECTION load   makes tables named after the folder
//   postgis FOLDER CONNECTION        measures: a prepared statement for each position, and the server alone
//
// CONNECTION is a connection string of libpq, such as "host=/tmp/socket dbname=postgres".
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

typedef struct {
  PGconn *connection;
  // The name of the folder, which is also the schema with the tables.
  char schema[64];
  const workload *load;
} client;

// The kinds of conditions.
enum { circles = 0, polygons = 1 };

static const char *const names[] = {"postgis-circles", "postgis-polygons"};

// The conditions that contain a point, given as SQL text. The index finds those whose rectangle of 500 m contains it;
// the radii are then checked one by one.
static const char *const containing[] = {
    "SELECT id FROM circles WHERE place && _ST_Expand(%1$s::geography, 500)"
    " AND ST_DWithin(place, %1$s::geography, radius)",
    "SELECT id FROM polygons WHERE ST_Covers(place, %1$s)",
};

static PGresult *check(client *client, PGresult *answer) {
  ExecStatusType status = PQresultStatus(answer);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_COPY_IN) {
    fail("postgis: %s", PQerrorMessage(client->connection));
  }
  return answer;
}

static void run(client *client, const char *text) {
  PQclear(check(client, PQexec(client->connection, text)));
}

static long number(client *client, const char *text) {
  PGresult *answer = check(client, PQexec(client->connection, text));
  long value = atol(PQgetvalue(answer, 0, 0));
  PQclear(answer);
  return value;
}

static void copy_row(client *client, const char *row, int length) {
  if (PQputCopyData(client->connection, row, length) != 1) {
    fail("postgis: %s", PQerrorMessage(client->connection));
  }
}

static void end_copy(client *client) {
  PQputCopyEnd(client->connection, NULL);
  for (PGresult *answer; (answer = PQgetResult(client->connection)) != NULL;) {
    PQclear(check(client, answer));
  }
}

static void load_table(client *client, const char *version, int kind, const char *statements) {
  double began = seconds();
  run(client, "CREATE TEMP TABLE given (id int, latitude float8, longitude float8, radius float8)");
  run(client, "COPY given FROM STDIN CSV");
  for (size_t id = 0; id < client->load->circle_count; id++) {
    const circle *circle = &client->load->circles[id];
    char row[128];
    int length = snprintf(
        row, sizeof row, "%zu,%.10f,%.10f,%.6f\n", id, circle->latitude, circle->longitude,
        circle->radius);
    copy_row(client, row, length);
  }
  end_copy(client);
  run(client, statements);
  result result = result_named(names[kind], version);
  result.build = seconds() - began;
  result.memory = number(
      client, kind == circles ? "SELECT pg_total_relation_size('circles')"
                              : "SELECT pg_total_relation_size('polygons')");
  result.note = "memory: table and index on disk";
  result_print(&result);
  run(client, "DROP TABLE given");
}

static void load_tables(client *client, const char *version) {
  char text[256];
  snprintf(
      text, sizeof text, "DROP SCHEMA IF EXISTS \"%1$s\" CASCADE; CREATE SCHEMA \"%1$s\"",
      client->schema);
  run(client, text);
  load_table(
      client, version, circles,
      "CREATE UNLOGGED TABLE circles AS SELECT id,"
      " ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography AS place, radius FROM given;"
      "CREATE INDEX ON circles USING gist (place); ANALYZE circles");
  load_table(
      client, version, polygons,
      "CREATE UNLOGGED TABLE polygons AS SELECT id, ST_MakePolygon(ST_MakeLine(ARRAY("
      " SELECT ST_SetSRID(ST_MakePoint("
      "  longitude + degrees(radius * cos(2 * pi() * (corner % 32) / 32)"
      "   / (6371008.8 * cos(radians(latitude)))),"
      "  latitude + degrees(radius * sin(2 * pi() * (corner % 32) / 32) / 6371008.8)), 4326)"
      " FROM generate_series(0, 32) corner))) AS place FROM given;"
      "CREATE INDEX ON polygons USING gist (place); ANALYZE polygons");
}

static size_t count_containing(void *context, double latitude, double longitude) {
  client *client = context;
  char x[32], y[32];
  snprintf(x, sizeof x, "%.9f", longitude);
  snprintf(y, sizeof y, "%.9f", latitude);
  const char *values[] = {x, y};
  PGresult *answer =
      check(client, PQexecPrepared(client->connection, "query", 2, values, NULL, NULL, 0));
  size_t total = PQntuples(answer);
  PQclear(answer);
  return total;
}

static void measure_round_trips(client *client, const char *version, int kind) {
  char text[512];
  snprintf(
      text, sizeof text, containing[kind],
      "ST_SetSRID(ST_MakePoint($1::float8, $2::float8), 4326)");
  PQclear(check(client, PQprepare(client->connection, "query", text, 0, NULL)));
  result result = result_named(names[kind], version);
  measure_containment(count_containing, client, client->load, &result);
  result_print(&result);
  run(client, "DEALLOCATE query");
}

// Measures one statement for all positions: returns the nanoseconds per position, and gets the total.
static double ask_at_once(
    client *client, int kind, const position *positions, size_t count, long *total) {
  run(client, "CREATE TEMP TABLE asked (longitude float8, latitude float8)");
  run(client, "COPY asked FROM STDIN CSV");
  for (size_t index = 0; index < count; index++) {
    char row[64];
    int length = snprintf(
        row, sizeof row, "%.9f,%.9f\n", positions[index].longitude, positions[index].latitude);
    copy_row(client, row, length);
  }
  end_copy(client);
  run(client, "ANALYZE asked");
  char query[512], text[1024];
  snprintf(
      query, sizeof query, containing[kind],
      "ST_SetSRID(ST_MakePoint(asked.longitude, asked.latitude), 4326)");
  // OFFSET keeps the planner from reordering the loop over positions.
  snprintf(
      text, sizeof text, "SELECT count(*) FROM asked, LATERAL (%s OFFSET 0) AS found", query);
  number(client, text);
  double began = seconds();
  *total = number(client, text);
  double took = seconds() - began;
  run(client, "DROP TABLE asked");
  return took * 1e9 / count;
}

static void measure_server(client *client, const char *version, int kind) {
  result result =
      result_named(kind == circles ? "postgis-circles-server" : "postgis-polygons-server", version);
  result.track =
      ask_at_once(client, kind, client->load->track, CHECKED_FIXES, &result.track_total);
  result.devices =
      ask_at_once(client, kind, client->load->devices, CHECKED_DEVICES, &result.device_total);
  result_print(&result);
}

int main(int count, char **words) {
  if (count < 3) fail("usage: postgis FOLDER CONNECTION [load]");
  workload load = workload_open(words[1]);
  measure_by_wall_clock();
  client client = {PQconnectdb(words[2]), "", &load};
  if (PQstatus(client.connection) != CONNECTION_OK) {
    fail("postgis: %s", PQerrorMessage(client.connection));
  }
  const char *slash = strrchr(load.folder, '/');
  snprintf(client.schema, sizeof client.schema, "%s", slash ? slash + 1 : load.folder);
  run(&client, "SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS postgis");
  PGresult *about = check(
      &client, PQexec(client.connection,
                      "SELECT 'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1)"
                      " || ', PostGIS ' || postgis_lib_version()"));
  char version[128], text[128];
  snprintf(version, sizeof version, "%s", PQgetvalue(about, 0, 0));
  PQclear(about);
  snprintf(text, sizeof text, "SET search_path = \"%s\", public", client.schema);
  run(&client, text);
  if (count > 3) {
    load_tables(&client, version);
  } else {
    // Use the index, one process, and one plan for all positions, as a server for positions would.
    run(&client,
        "SET enable_seqscan = off; SET jit = off; SET max_parallel_workers_per_gather = 0;"
        " SET plan_cache_mode = force_generic_plan");
    for (int kind = circles; kind <= polygons; kind++) {
      measure_round_trips(&client, version, kind);
      measure_server(&client, version, kind);
    }
  }
  PQfinish(client.connection);
  return 0;
}
