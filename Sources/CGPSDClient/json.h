#ifndef GEOFENCED_JSON_H
#define GEOFENCED_JSON_H

#include <stdbool.h>
#include <stddef.h>

/// A part of a text.
struct json_span {
  const char *start;
  size_t length;
};

/// What has to be known of a line before libgps may read it.
struct json_outline {
  /// The value of "class", which must be the first key.
  struct json_span class_name;
  /// The value of "satellites" or "devices", if it is an array.
  struct json_span satellites, devices;
  /// The object's closing brace.
  const char *end;
};

/// Removes the white space between the tokens of a JSON text, in place, and returns whether anything has moved.
///
/// gpsd writes none, but other programs that keep its messages do, and libgps finds "class" only without it.
bool json_remove_space(char *text);

/// Whether a NUL-terminated text is a single JSON object that libgps can read safely; fills in the outline.
///
/// This is stricter than JSON where libgps's parser isn't safe: see the comments in json.c.
bool json_outline_read(const char *text, struct json_outline *outline);

/// Goes to the next element of an array: `cursor` starts at NULL; false at the end.
bool json_array_next(struct json_span array, const char **cursor, struct json_span *element);

#endif
