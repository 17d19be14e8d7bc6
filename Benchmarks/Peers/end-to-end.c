// From a fix to the line of its event: the least that the way through two sockets costs.
//
//   end-to-end FOLDER
//   end-to-end FOLDER serve PORT SOCKET
//
// A server reads gpsd's TPV lines from a Unix stream socket, finds the events with the grid of `limit`, and writes a
// line of JSON for each to another socket. Its parent sends the fixes one by one. For fixes that cause events, it
// measures the time until the first line comes.
//
// Prints a line of JSON with times in microseconds. A folder of set B has enough events.
//
// With `serve`, another program sends the fixes and measures, over the same kinds of sockets that geofenced uses:
// gpsd's port of 127.0.0.1, and a Unix socket for one subscriber.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <gps.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grid.h"
#include "measure.h"

// The number of timed fixes that cause events.
#define TIMED 3000
// The pause between two fixes, so that all processes sleep when the next one comes.
#define PAUSE_MICROSECONDS 200
// How long to look for such fixes: if the track meets few circles, fewer are timed.
#define TIMED_SECONDS 3

/// Keeps both processes on different processors, if there are two.
static void stay_on_core(int core) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) fail("there is no core %d", core);
}

static int write_report(char *text, size_t size, position position) {
  return snprintf(
      text, size,
      "{\"class\":\"TPV\",\"device\":\"/dev/ttyACM0\",\"status\":2,\"mode\":3,"
      "\"time\":\"2026-03-02T18:42:24.000Z\",\"leapseconds\":18,\"ept\":0.005,\"lat\":%.9f,"
      "\"lon\":%.9f,\"altHAE\":567.1230,\"altMSL\":520.8810,\"alt\":520.8810,\"epx\":2.123,"
      "\"epy\":2.456,\"epv\":4.600,\"track\":123.4567,\"magtrack\":126.7890,\"magvar\":3.3,"
      "\"speed\":13.890,\"climb\":0.120,\"eps\":0.37,\"epc\":9.20,\"eph\":3.200,\"sep\":5.600}\n",
      position.latitude, position.longitude);
}

static void send_all(int socket, const char *text, size_t length) {
  while (length > 0) {
    ssize_t written = send(socket, text, length, MSG_NOSIGNAL);
    if (written <= 0) exit(1);
    text += written, length -= written;
  }
}

// Adds a line for each circle that is in only one of the sets; returns the length of the text.
static size_t write_events(
    char *text, size_t size, size_t length, const circle_set *before, const circle_set *now,
    position position) {
  uint32_t i = 0, j = 0;
  while (i < before->count || j < now->count) {
    uint32_t identifier;
    const char *kind;
    if (j == now->count || (i < before->count && before->identifiers[i] < now->identifiers[j])) {
      identifier = before->identifiers[i++], kind = "exit";
    } else if (i == before->count || now->identifiers[j] < before->identifiers[i]) {
      identifier = now->identifiers[j++], kind = "enter";
    } else {
      i++, j++;
      continue;
    }
    int added = snprintf(
        text + length, size - length,
        "{\"event\":\"%s\",\"fence\":%u,\"lat\":%.7f,\"lon\":%.7f}\n", kind, identifier,
        position.latitude, position.longitude);
    if (added < 0 || (size_t)added >= size - length) fail("too many events at once");
    length += added;
  }
  return length;
}

static void serve(const grid *grid, int fixes, int events) {
  static char input[1 << 17], output[1 << 20];
  struct gps_data_t *report = calloc(1, sizeof *report);
  circle_set sets[2] = {grid_set(grid), grid_set(grid)};
  circle_set *before = &sets[0], *now = &sets[1];
  size_t held = 0;
  for (;;) {
    ssize_t got = read(fixes, input + held, sizeof input - held);
    if (got <= 0) exit(0);
    held += got;
    char *line = input, *end;
    size_t length = 0;
    while ((end = memchr(line, '\n', input + held - line)) != NULL) {
      *end = '\0';
      // gpsd also sends other messages, before its first report.
      int is_report = strstr(line, "\"class\":\"TPV\"") != NULL;
      position position;
      if (!is_report) {
        line = end + 1;
        continue;
      }
      gps_unpack(line, report);
      position.latitude = report->fix.latitude;
      position.longitude = report->fix.longitude;
      line = end + 1;
      grid_query(grid, position.latitude, position.longitude, now, NULL);
      length = write_events(output, sizeof output, length, before, now, position);
      circle_set *swap = before;
      before = now, now = swap;
    }
    send_all(events, output, length);
    held = input + held - line;
    memmove(input, line, held);
  }
}

// Whether a fix enters or leaves a circle, compared with the fix before.
static int changes(const grid *grid, position position, circle_set sets[2], int parity) {
  circle_set *now = &sets[parity], *before = &sets[!parity];
  grid_query(grid, position.latitude, position.longitude, now, NULL);
  return now->count != before->count
      || memcmp(now->identifiers, before->identifiers, now->count * sizeof(uint32_t)) != 0;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

// Waits for a line, at most a second. It has its own processor and doesn't sleep, so only the server has to be
// woken.
static void await_line(int socket) {
  struct pollfd waiting = {.fd = socket, .events = POLLIN};
  double began = seconds();
  while (poll(&waiting, 1, 0) != 1) {
    if (seconds() - began > 1) fail("the server missed an event");
  }
}

// Sends fixes one by one; gets the sorted delays of those that cause events, and returns their number.
static size_t time_fixes(
    const grid *grid, const workload *load, int fixes, int events, double delays[TIMED]) {
  circle_set sets[2] = {grid_set(grid), grid_set(grid)};
  static char text[1 << 17];
  size_t timed = 0;
  double end = seconds() + TIMED_SECONDS;
  for (size_t fix = 0; fix < load->track_length && timed < TIMED && seconds() < end; fix++) {
    position position = load->track[fix];
    size_t length = write_report(text, sizeof text, position);
    int causes_events = changes(grid, position, sets, fix % 2);
    double began = seconds();
    send_all(fixes, text, length);
    if (causes_events) {
      await_line(events);
      delays[timed++] = (seconds() - began) * 1e6;
      // All events of a fix come in one piece.
      if (read(events, text, sizeof text) <= 0) fail("the server ended");
    }
    usleep(PAUSE_MICROSECONDS);
  }
  qsort(delays, timed, sizeof *delays, compare);
  return timed;
}

// Connects to gpsd and asks for its reports.
static int connect_to_gpsd(int port) {
  int gpsd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (connect(gpsd, (struct sockaddr *)&address, sizeof address) != 0) fail("no gpsd");
  setsockopt(gpsd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  const char *watch = "?WATCH={\"enable\":true,\"json\":true};\n";
  send_all(gpsd, watch, strlen(watch));
  return gpsd;
}

static int listen_at(const char *path) {
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("%s: the path is too long", path);
  strcpy(address.sun_path, path);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0
      || listen(listener, 1) != 0) {
    fail("%s: can't listen there", path);
  }
  return listener;
}

// Sends a subscriber the events of gpsd's reports, until either of them leaves.
static void serve_others(const workload *load, int port, const char *path) {
  grid grid;
  grid_build(&grid, load->circles, load->circle_count, grid_best_cells(load), 0);
  int listener = listen_at(path);
  int gpsd = connect_to_gpsd(port);
  int subscriber = accept(listener, NULL, NULL);
  if (subscriber < 0) fail("nobody came");
  serve(&grid, gpsd, subscriber);
}

int main(int count, char **words) {
  if (count == 5 && strcmp(words[2], "serve") == 0) {
    workload load = workload_open(words[1]);
    serve_others(&load, atoi(words[3]), words[4]);
    return 0;
  }
  if (count != 2) fail("usage: end-to-end FOLDER [serve PORT SOCKET]");
  workload load = workload_open(words[1]);
  measure_by_wall_clock();
  grid grid;
  grid_build(&grid, load.circles, load.circle_count, grid_best_cells(&load), 0);
  int fixes[2], events[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fixes) != 0
      || socketpair(AF_UNIX, SOCK_STREAM, 0, events) != 0) {
    fail("no sockets");
  }
  pid_t server = fork();
  if (server == 0) {
    close(fixes[0]);
    close(events[0]);
    stay_on_core(1);
    serve(&grid, fixes[1], events[1]);
  }
  close(fixes[1]);
  close(events[1]);
  stay_on_core(0);
  static double delays[TIMED];
  size_t timed = time_fixes(&grid, &load, fixes[0], events[0], delays);
  if (timed == 0) fail("%s: the track causes no events", words[1]);
  close(fixes[0]);
  waitpid(server, NULL, 0);
  printf(
      "{\"name\":\"end-to-end\",\"p50\":%.2f,\"p99\":%.2f}\n", delays[timed / 2],
      delays[timed * 99 / 100]);
  return 0;
}
