#ifndef GEOFENCED_JSON_H
#define GEOFENCED_JSON_H

#include <stdbool.h>
#include <stddef.h>

/// A stretch of text.
struct json_span {
  const char *start;
  size_t length;
};

/// What a line is, as far as must be known before libgps may see it.
struct json_outline {
  /// The value of "class", which must be the first key.
  struct json_span class_name;
  /// The value of "satellites" or "devices", where it is an array.
  struct json_span satellites, devices;
  /// The object's closing brace.
  const char *end;
};

/// Removes the white space between the parts of a JSON text, in place: gpsd writes none, other
/// programs that keep its messages do, and libgps finds "class" only without it. Returns whether
/// anything stands elsewhere now.
bool json_remove_space(char *text);

/// Whether a NUL-terminated text is one JSON object, and harmless; fills in the outline.
///
/// "Harmless" is stricter than JSON where libgps's parser isn't safe: see the comments in json.c.
bool json_outline_read(const char *text, struct json_outline *outline);

/// Steps through the elements of an array: `cursor` starts at NULL; false at the end.
bool json_array_next(struct json_span array, const char **cursor, struct json_span *element);

#endif
