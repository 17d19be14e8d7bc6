#include "CGPSDClient.h"

#include <gps.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

#if GPSD_API_MAJOR_VERSION < 11 || GPSD_API_MAJOR_VERSION > 16
#error "This libgps is none of API 11 to 16: look at what its gps.h changed, then widen the range"
#endif

// Appended to every TPV as its last value. It is found afterwards only if libgps has read everything before it.
// (gps_unpack returns 0 whether or not it could read the message.)
#define SENTINEL_VALUE (-98765.25)
#define SENTINEL_TEXT ",\"geoidSep\":-98765.25}"

struct gpsd_decoder {
  struct gps_data_t data;
  char line[GPSD_LINE_MAX + sizeof SENTINEL_TEXT];
  char device_line[GPSD_LINE_MAX + 1];
  char devices[GPSD_DEVICES_MAX][GPS_PATH_MAX];
  int device_count;
};

gpsd_decoder *gpsd_decoder_create(void) { return calloc(1, sizeof(gpsd_decoder)); }

void gpsd_decoder_destroy(gpsd_decoder *decoder) { free(decoder); }

const char *gpsd_decoder_listed_device(const gpsd_decoder *decoder, int index) {
  return index >= 0 && index < decoder->device_count ? decoder->devices[index] : "";
}

/// Lets libgps read a text; the parts of the data that it fills must be cleared before. gps_unpack needs no privdata.
static void read_cleared(gpsd_decoder *decoder, char *text) {
  // A second "class" could keep gps_unpack in its loop for ever.
  const char *first = strstr(text, "\"class\":");
  if (first == NULL || strstr(first + 1, "\"class\":") != NULL) return;
  gps_unpack(text, &decoder->data);
}

/// Lets libgps read a message, and returns the set of parts that it found.
static gps_mask_t unpack(gpsd_decoder *decoder, char *text) {
  // Clear all data for each message, so that nothing of another message gets into the report.
  memset(&decoder->data, 0, sizeof decoder->data);
  read_cleared(decoder, text);
  return decoder->data.set;
}

static bool is_class(const struct json_outline *outline, const char *name) {
  return outline->class_name.length == strlen(name)
      && memcmp(outline->class_name.start, name, outline->class_name.length) == 0;
}

static void set_time(struct gpsd_report *report, timespec_t time) {
  report->has_time = time.tv_sec != 0 || time.tv_nsec != 0;
  report->time_seconds = time.tv_sec;
  // libgps multiplies the fraction and cuts it off: ".29" may come out one nanosecond short.
  report->time_nanoseconds = (int32_t)((time.tv_nsec + 1) / 10 * 10);
}

static enum gpsd_kind read_tpv(
    gpsd_decoder *decoder, const struct json_outline *outline, struct gpsd_report *report) {
  memcpy(decoder->line + (outline->end - decoder->line), SENTINEL_TEXT, sizeof SENTINEL_TEXT);
  // Most messages are reports. Of the 24 to 38 kilobytes of data, a report is read into these parts only.
  decoder->data.set = 0;
  memset(&decoder->data.fix, 0, sizeof decoder->data.fix);
  memset(&decoder->data.dev, 0, sizeof decoder->data.dev);
  read_cleared(decoder, decoder->line);
  const struct gps_fix_t *fix = &decoder->data.fix;
  if (fix->geoid_sep != SENTINEL_VALUE) return GPSD_MALFORMED;

  set_time(report, fix->time);
  report->mode = fix->mode;
  report->status = fix->status;
  report->latitude = fix->latitude;
  report->longitude = fix->longitude;
  report->altitude_hae = fix->altHAE;
  report->altitude_msl = fix->altMSL;
  // Up to gpsd 3.19 there is only `alt`, which nearly all receivers mean from mean sea level.
  if (!isfinite(fix->altMSL) && !isfinite(fix->altHAE)) report->altitude_msl = fix->altitude;
  report->eph = fix->eph;
  report->epx = fix->epx;
  report->epy = fix->epy;
  report->epv = fix->epv;
  report->speed = fix->speed;
  report->eps = fix->eps;
  report->track = fix->track;
  report->epd = fix->epd;
  return GPSD_TPV;
}

static enum gpsd_kind read_gst(gpsd_decoder *decoder, struct gpsd_report *report) {
  if ((unpack(decoder, decoder->line) & GST_SET) == 0) return GPSD_MALFORMED;
  const struct gst_t *gst = &decoder->data.gst;
  set_time(report, gst->utctime);
  report->north_deviation = gst->lat_err_deviation;
  report->east_deviation = gst->lon_err_deviation;
  report->up_deviation = gst->alt_err_deviation;
  return GPSD_GST;
}

static enum gpsd_kind read_sky(
    gpsd_decoder *decoder, const struct json_outline *outline, struct gpsd_report *report) {
  // From gpsd 3.23 on, some SKY messages have only dilutions of precision, and tell nothing about satellites.
  if (outline->satellites.start == NULL) return GPSD_OTHER;
  // libgps 3.25 accepts satellites only with their number, which gpsd before 3.22 doesn't write; it counts them itself.
  static const char number[] = ",\"nSat\":0}";
  memcpy(decoder->line + (outline->end - decoder->line), number, sizeof number);
  if ((unpack(decoder, decoder->line) & SATELLITE_SET) == 0) return GPSD_MALFORMED;
  report->satellites_used = decoder->data.satellites_used;
  report->satellites_seen = decoder->data.satellites_visible;
  return GPSD_SKY;
}

/// Reads a DEVICE message into `data.dev`; returns whether it names a receiver.
static bool read_device(gpsd_decoder *decoder, char *text) {
  unpack(decoder, text);
  // For a receiver that went away gpsd writes "activated":0, which libgps takes for an error. The name comes before
  // that, and `activated` is left at zero, which is right.
  return decoder->data.dev.path[0] != '\0';
}

// libgps has room for four receivers and refuses a longer list, so each is decoded by itself.
static enum gpsd_kind read_devices(
    gpsd_decoder *decoder, const struct json_outline *outline, struct gpsd_report *report) {
  const char *cursor = NULL;
  struct json_span element;
  while (decoder->device_count < GPSD_DEVICES_MAX
         && json_array_next(outline->devices, &cursor, &element)) {
    memcpy(decoder->device_line, element.start, element.length);
    decoder->device_line[element.length] = '\0';
    struct json_outline inner;
    if (!json_outline_read(decoder->device_line, &inner) || !is_class(&inner, "DEVICE")) continue;
    if (!read_device(decoder, decoder->device_line)) continue;
    memcpy(decoder->devices[decoder->device_count++], decoder->data.dev.path, GPS_PATH_MAX);
  }
  report->device_count = decoder->device_count;
  return GPSD_DEVICES;
}

static enum gpsd_kind read_message(
    gpsd_decoder *decoder, const struct json_outline *outline, struct gpsd_report *report) {
  if (is_class(outline, "TPV")) return read_tpv(decoder, outline, report);
  if (is_class(outline, "GST")) return read_gst(decoder, report);
  if (is_class(outline, "SKY")) return read_sky(decoder, outline, report);
  if (is_class(outline, "DEVICES")) return read_devices(decoder, outline, report);
  if (is_class(outline, "WATCH")) return GPSD_WATCH;
  if (is_class(outline, "DEVICE")) {
    if (!read_device(decoder, decoder->line)) return GPSD_MALFORMED;
    report->activated = decoder->data.dev.activated.tv_sec != 0;
    return GPSD_DEVICE;
  }
  if (is_class(outline, "VERSION")) {
    if ((unpack(decoder, decoder->line) & VERSION_SET) == 0) return GPSD_MALFORMED;
    report->text = decoder->data.version.release;
    return GPSD_VERSION;
  }
  if (is_class(outline, "ERROR")) {
    if ((unpack(decoder, decoder->line) & ERROR_SET) == 0) return GPSD_MALFORMED;
    report->text = decoder->data.error;
    return GPSD_ERROR;
  }
  return GPSD_OTHER;
}

enum gpsd_kind gpsd_decoder_decode(
    gpsd_decoder *decoder, const void *line, size_t length, struct gpsd_report *report) {
  memset(report, 0, sizeof *report);
  report->device = report->text = "";
  decoder->device_count = 0;
  decoder->data.dev.path[0] = '\0';
  if (length == 0 || length > GPSD_LINE_MAX || memchr(line, '\0', length) != NULL) {
    return GPSD_MALFORMED;
  }
  memcpy(decoder->line, line, length);
  decoder->line[length] = '\0';
  struct json_outline outline;
  // Check the text with its spaces first: without the space, "1 2" would be a number.
  if (!json_outline_read(decoder->line, &outline)) return GPSD_MALFORMED;
  if (json_remove_space(decoder->line) && !json_outline_read(decoder->line, &outline)) {
    return GPSD_MALFORMED;
  }
  const enum gpsd_kind kind = read_message(decoder, &outline, report);
  if (kind != GPSD_MALFORMED) report->device = decoder->data.dev.path;
  return kind;
}
