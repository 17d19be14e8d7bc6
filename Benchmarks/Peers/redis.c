// Redis: GEOSEARCH over the centres with the largest radius; the client then checks each circle's own radius.
//
//   redis FOLDER SOCKET PID load   adds the circles under the name of the folder
//   redis FOLDER SOCKET PID        measures
//
// PID is the process id of the server, whose processor time is measured, too.
#include <hiredis/hiredis.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure.h"

// The number of commands that are sent before the first answer is read, in the "pipelined" measurement.
#define PIPELINE 50

typedef struct {
  redisContext *connection;
  int server;
  char key[64];
  const workload *load;
} client;

static redisReply *receive(client *client) {
  redisReply *reply;
  if (redisGetReply(client->connection, (void **)&reply) != REDIS_OK) {
    fail("redis: %s", client->connection->errstr);
  }
  if (reply->type == REDIS_REPLY_ERROR) fail("redis: %s", reply->str);
  return reply;
}

static void send_query(client *client, double latitude, double longitude) {
  // The largest radius of the workload is 500 m; a geohash of 52 bits is up to 0.6 m off.
  redisAppendCommand(
      client->connection, "GEOSEARCH %s FROMLONLAT %.9f %.9f BYRADIUS 501 m WITHDIST", client->key,
      longitude, latitude);
}

// Receives an answer; returns the number of circles whose own radius is large enough.
static size_t receive_answer(client *client) {
  redisReply *reply = receive(client);
  size_t total = 0;
  for (size_t index = 0; index < reply->elements; index++) {
    redisReply *pair = reply->element[index];
    size_t number = strtoul(pair->element[0]->str, NULL, 10);
    if (number >= client->load->circle_count) fail("redis: an unknown circle");
    total += strtod(pair->element[1]->str, NULL) <= client->load->circles[number].radius;
  }
  freeReplyObject(reply);
  return total;
}

static size_t count_containing(void *context, double latitude, double longitude) {
  send_query(context, latitude, longitude);
  return receive_answer(context);
}

// The server's processor time in nanoseconds, as counted by the scheduler.
static double server_time(const client *client) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/schedstat", client->server);
  FILE *file = fopen(path, "r");
  double time = NAN;
  if (!file || fscanf(file, "%lf", &time) != 1) fail("%s can't be read", path);
  fclose(file);
  return time;
}

static void load_circles(client *client, const char *version) {
  const workload *load = client->load;
  redisAppendCommand(client->connection, "DEL %s", client->key);
  freeReplyObject(receive(client));
  double before = memory_of(client->server, "VmRSS"), began = seconds();
  for (size_t number = 0; number < load->circle_count;) {
    size_t sent = 0;
    for (; sent < 1000 && number < load->circle_count; sent++, number++) {
      const circle *circle = &load->circles[number];
      redisAppendCommand(
          client->connection, "GEOADD %s %.10f %.10f %lu", client->key, circle->longitude,
          circle->latitude, (unsigned long)number);
    }
    for (; sent > 0; sent--) freeReplyObject(receive(client));
  }
  result result = result_named("redis-geosearch", version);
  result.build = seconds() - began;
  result.memory = memory_of(client->server, "VmRSS") - before;
  result_print(&result);
}

// Measures fixes of the track, with many commands under way: the time for each, and the server's.
static void measure_pipelined(client *client, double *whole, double *server) {
  const workload *load = client->load;
  double began = seconds(), before = server_time(client);
  size_t done = 0;
  do {
    for (size_t ahead = 0; ahead < PIPELINE; ahead++) {
      const position *fix = &load->track[(done + ahead) % load->track_length];
      send_query(client, fix->latitude, fix->longitude);
    }
    for (size_t ahead = 0; ahead < PIPELINE; ahead++) receive_answer(client);
    done += PIPELINE;
  } while (seconds() - began < patience());
  *whole = (seconds() - began) * 1e9 / done;
  *server = (server_time(client) - before) / done;
}

static void measure(client *client, const char *version) {
  result round_trip = result_named("redis-geosearch", version);
  measure_containment(count_containing, client, client->load, &round_trip);
  result_print(&round_trip);
  result pipelined = result_named("redis-pipelined", version);
  result server = result_named("redis-server", version);
  measure_pipelined(client, &pipelined.track, &server.track);
  result_print(&pipelined);
  result_print(&server);
}

int main(int count, char **words) {
  if (count < 4) fail("usage: redis FOLDER SOCKET PID [load]");
  workload load = workload_open(words[1]);
  measure_by_wall_clock();
  client client = {redisConnectUnix(words[2]), atoi(words[3]), "", &load};
  if (!client.connection || client.connection->err) fail("redis: no connection to %s", words[2]);
  const char *slash = strrchr(load.folder, '/');
  snprintf(client.key, sizeof client.key, "%s", slash ? slash + 1 : load.folder);
  redisAppendCommand(client.connection, "INFO server");
  redisReply *about = receive(&client);
  char version[64] = "Redis ";
  const char *number = strstr(about->str, "redis_version:");
  if (number) sscanf(number, "redis_version:%20s", version + strlen(version));
  freeReplyObject(about);
  if (count > 4) {
    load_circles(&client, version);
  } else {
    measure(&client, version);
  }
  redisFree(client.connection);
  return 0;
}
