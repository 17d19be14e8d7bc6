#ifndef CGPSDCLIENT_H
#define CGPSDCLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The longest line that is read, in bytes: gpsd's own limit for a message.
#define GPSD_LINE_MAX 20480

/// The largest number of receivers that are kept from a DEVICES message.
#define GPSD_DEVICES_MAX 16

/// The kind of a message.
enum gpsd_kind {
  /// Not a message of gpsd: broken, cut off, or of another form.
  GPSD_MALFORMED = 0,
  GPSD_TPV,
  GPSD_GST,
  GPSD_SKY,
  GPSD_VERSION,
  GPSD_DEVICES,
  GPSD_DEVICE,
  GPSD_WATCH,
  GPSD_ERROR,
  /// A message that this client doesn't need.
  GPSD_OTHER
};

/// The contents of one message; missing numbers are NaN.
///
/// Everything in it comes from this message alone. The strings belong to the decoder and are valid until its next
/// message.
struct gpsd_report {
  /// TPV, GST
  bool has_time;
  int64_t time_seconds;
  int32_t time_nanoseconds;
  /// TPV
  int mode;
  int status;
  double latitude, longitude;
  double altitude_hae, altitude_msl;
  double eph, epx, epy, epv;
  double speed, eps;
  double track, epd;

  /// GST: standard deviations, metres
  double north_deviation, east_deviation, up_deviation;

  /// SKY
  int satellites_used, satellites_seen;

  /// TPV, GST, SKY, DEVICE: the name of the receiver, or an empty string.
  const char *device;
  /// DEVICE: whether the receiver is open.
  bool activated;

  /// DEVICES: the number of receivers; gpsd_decoder_listed_device returns their names.
  int device_count;

  /// VERSION: the release. ERROR: the message.
  const char *text;
};

/// Decodes gpsd's messages with libgps, without a connection.
typedef struct gpsd_decoder gpsd_decoder;

/// Makes a decoder; NULL if there is no memory. Only one thread at a time may use it.
gpsd_decoder *gpsd_decoder_create(void);

/// Frees a decoder; NULL is allowed.
void gpsd_decoder_destroy(gpsd_decoder *decoder);

/// Decodes one line, which may end with CR and LF, and needs no NUL.
enum gpsd_kind gpsd_decoder_decode(
    gpsd_decoder *decoder, const void *line, size_t length, struct gpsd_report *report);

/// The name of a receiver in the last DEVICES message; an empty string if the index is too large.
const char *gpsd_decoder_listed_device(const gpsd_decoder *decoder, int index);

#endif
