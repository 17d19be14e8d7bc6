#ifndef CGPSDCLIENT_H
#define CGPSDCLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The longest line that is looked at, in bytes: gpsd's own limit for a message.
#define GPSD_LINE_MAX 20480

/// The most receivers of one DEVICES message that are kept.
#define GPSD_DEVICES_MAX 16

/// What a message is.
enum gpsd_kind {
  /// No message: broken or cut off, or of another shape than gpsd's.
  GPSD_MALFORMED = 0,
  GPSD_TPV,
  GPSD_GST,
  GPSD_SKY,
  GPSD_VERSION,
  GPSD_DEVICES,
  GPSD_DEVICE,
  GPSD_WATCH,
  GPSD_ERROR,
  /// A message that this client has no use for.
  GPSD_OTHER
};

/// The contents of one message; a number that is absent is NaN.
///
/// Everything in it comes from this message alone. The strings belong to the decoder and last until
/// its next message.
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

  /// TPV, GST, SKY, DEVICE: the receiver, or an empty string.
  const char *device;
  /// DEVICE: whether the receiver is open.
  bool activated;

  /// DEVICES: how many; gpsd_decoder_listed_device gives the names.
  int device_count;

  /// VERSION: the release. ERROR: the message.
  const char *text;
};

/// Decodes gpsd's messages with libgps, away from any connection.
typedef struct gpsd_decoder gpsd_decoder;

/// A decoder, or NULL when there is no memory. Not for several threads at once.
gpsd_decoder *gpsd_decoder_create(void);

/// Releases a decoder; NULL is none.
void gpsd_decoder_destroy(gpsd_decoder *decoder);

/// Decodes one line, which may end in CR and LF and needs no terminator.
enum gpsd_kind gpsd_decoder_decode(
    gpsd_decoder *decoder, const void *line, size_t length, struct gpsd_report *report);

/// The name of a receiver of the last DEVICES message; an empty string for an index beyond it.
const char *gpsd_decoder_listed_device(const gpsd_decoder *decoder, int index);

#endif
