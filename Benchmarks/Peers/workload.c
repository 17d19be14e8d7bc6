#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

// A file of records, mapped and already read into memory, so that measuring doesn't wait for the disk.
static const void *map_records(const char *folder, const char *name, size_t size, size_t *count) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
    fail("%s: the path is too long", folder);
  }
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) fail("%s: %s", path, strerror(errno));
  if (status.st_size == 0 || status.st_size % size != 0) fail("%s isn't of a workload", path);
  void *records = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (records == MAP_FAILED) fail("%s: %s", path, strerror(errno));
  close(file);
  *count = status.st_size / size;
  return records;
}

workload workload_open(const char *folder) {
  workload load = {.folder = folder};
  load.circles = map_records(folder, "circles.bin", sizeof(circle), &load.circle_count);
  load.track = map_records(folder, "track.bin", sizeof(position), &load.track_length);
  load.devices = map_records(folder, "points.bin", sizeof(position), &load.device_count);
  return load;
}

int workload_is_city(const workload *load) {
  const char *slash = strrchr(load->folder, '/');
  return (slash ? slash + 1 : load->folder)[0] == 'B';
}

void workload_polygon(const circle *circle, position corners[CORNERS + 1]) {
  double across = MEAN_RADIUS * cos(circle->latitude * RADIANS);
  for (int corner = 0; corner <= CORNERS; corner++) {
    double angle = 2 * M_PI * (corner % CORNERS) / CORNERS;
    corners[corner].latitude =
        circle->latitude + circle->radius * sin(angle) / MEAN_RADIUS / RADIANS;
    corners[corner].longitude = circle->longitude + circle->radius * cos(angle) / across / RADIANS;
  }
}

rectangle workload_rectangle(const circle *circle) {
  // The least metres in a degree of latitude, and in a degree of longitude slightly nearer to the pole.
  double high = circle->radius * 1.003 / 110500;
  double wide = circle->radius * 1.003
      / (111200 * cos((fabs(circle->latitude) + 0.01) * RADIANS));
  return (rectangle){circle->latitude - high, circle->longitude - wide, circle->latitude + high,
                     circle->longitude + wide};
}
