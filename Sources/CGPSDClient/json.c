// A strict check of JSON's grammar. It keeps no values: libgps decodes them, but only from text that can't do harm.
// What its parser (gpsd 3.22 to 3.27, libgps/json.c, libgps/gpsutils.c) does with other text:
//
// - a cut-off object counts as complete;
// - after an error, gps_unpack goes on where the error was, for ever if "class" stands after that;
// - an exponent of many digits overflows an int in safe_atof and reads past a table;
// - a fraction of a second of 1e400 is converted to a long, and a date that doesn't exist comes out
//   as some other date.

#include "json.h"

#include <string.h>

static const int depth_max = 16;
static const size_t number_max = 64;
static const int exponent_digits_max = 3;

static const char *skip_value(const char *p, int depth);

static const char *skip_space(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') p++;
  return p;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Skips a string; like the other skip functions it returns NULL if the text isn't valid.
static const char *skip_string(const char *p) {
  if (*p != '"') return NULL;
  for (p++; *p != '"'; p++) {
    if ((unsigned char)*p < 0x20) return NULL;
    if (*p != '\\') continue;
    p++;
    if (*p == 'u') {
      for (int i = 0; i < 4; i++) {
        if (!is_hex(*++p)) return NULL;
      }
    } else if (*p == '\0' || strchr("\"\\/bfnrt", *p) == NULL) {
      return NULL;
    }
  }
  return p + 1;
}

static const char *skip_number(const char *p) {
  const char *start = p;
  if (*p == '-') p++;
  if (!is_digit(*p)) return NULL;
  while (is_digit(*p)) p++;
  if (*p == '.') {
    p++;
    if (!is_digit(*p)) return NULL;
    while (is_digit(*p)) p++;
  }
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    const char *exponent = p;
    while (is_digit(*p)) p++;
    if (p == exponent || p - exponent > exponent_digits_max) return NULL;
  }
  return (size_t)(p - start) <= number_max ? p : NULL;
}

static const char *skip_word(const char *p) {
  static const char *const words[] = {"true", "false", "null"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (strncmp(p, words[i], length) == 0) return p + length;
  }
  return NULL;
}

static const char *skip_array(const char *p, int depth) {
  p = skip_space(p + 1);
  if (*p == ']') return p + 1;
  for (;;) {
    p = skip_value(p, depth);
    if (p == NULL) return NULL;
    p = skip_space(p);
    if (*p == ']') return p + 1;
    if (*p != ',') return NULL;
    p = skip_space(p + 1);
  }
}

/// Two digits as a number; −1 if they aren't digits.
static int two_digits(const char *p) {
  return is_digit(p[0]) && is_digit(p[1]) ? (p[0] - '0') * 10 + (p[1] - '0') : -1;
}

static bool in_range(int value, int low, int high) { return value >= low && value <= high; }

/// The number of days of a month, which is 1 to 12.
static int days(int year, int month) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return lengths[month - 1] + (month == 2 && leap);
}

/// Whether a string, with its quotes, is a time as gpsd writes it: 2026-11-20T23:26:37.250Z.
static bool is_time(struct json_span s) {
  const char *p = s.start + 1;
  if (s.length < 22 || s.length > 40) return false;
  if (two_digits(p) < 0 || two_digits(p + 2) < 0 || p[4] != '-') return false;
  int year = two_digits(p) * 100 + two_digits(p + 2), month = two_digits(p + 5);
  if (!in_range(month, 1, 12) || p[7] != '-') return false;
  if (!in_range(two_digits(p + 8), 1, days(year, month)) || p[10] != 'T') return false;
  if (!in_range(two_digits(p + 11), 0, 23) || p[13] != ':') return false;
  if (!in_range(two_digits(p + 14), 0, 59) || p[16] != ':') return false;
  if (!in_range(two_digits(p + 17), 0, 60)) return false;
  p += 19;
  if (*p == '.') {
    p++;
    if (!is_digit(*p)) return false;
    while (is_digit(*p)) p++;
  }
  return p[0] == 'Z' && p[1] == '"';
}

static bool is_key(struct json_span key, const char *name) {
  size_t length = strlen(name);
  return key.length == length + 2 && memcmp(key.start + 1, name, length) == 0;
}

/// Skips an object; for the outermost object, the outline is filled in.
static const char *skip_object(const char *p, int depth, struct json_outline *outline) {
  p = skip_space(p + 1);
  if (*p == '}') return p + 1;
  for (bool first = true;; first = false) {
    struct json_span key = {p, 0}, value;
    p = skip_string(p);
    if (p == NULL) return NULL;
    key.length = (size_t)(p - key.start);
    p = skip_space(p);
    if (*p != ':') return NULL;
    value.start = skip_space(p + 1);
    p = skip_value(value.start, depth);
    if (p == NULL) return NULL;
    value.length = (size_t)(p - value.start);

    bool timed = is_key(key, "time") || is_key(key, "activated");
    if (timed && *value.start == '"' && !is_time(value)) return NULL;
    if (outline != NULL) {
      if (is_key(key, "class")) {
        if (!first || *value.start != '"') return NULL;
        outline->class_name = (struct json_span){value.start + 1, value.length - 2};
      }
      if (is_key(key, "satellites") && *value.start == '[') outline->satellites = value;
      if (is_key(key, "devices") && *value.start == '[') outline->devices = value;
    }
    p = skip_space(p);
    if (*p == '}') return p + 1;
    if (*p != ',') return NULL;
    p = skip_space(p + 1);
  }
}

static const char *skip_value(const char *p, int depth) {
  if (depth >= depth_max) return NULL;
  switch (*p) {
    case '"': return skip_string(p);
    case '{': return skip_object(p, depth + 1, NULL);
    case '[': return skip_array(p, depth + 1);
    case 't':
    case 'f':
    case 'n': return skip_word(p);
    default: return skip_number(p);
  }
}

bool json_remove_space(char *text) {
  char *to = text;
  bool in_string = false, moved = false;
  for (const char *from = text; *from != '\0'; from++) {
    if (!in_string && (*from == ' ' || *from == '\t' || *from == '\r' || *from == '\n')) continue;
    moved = moved || to != from;
    if (*from == '"') in_string = !in_string;
    *to++ = *from;
    if (in_string && *from == '\\' && from[1] != '\0') *to++ = *++from;
  }
  *to = '\0';
  return moved;
}

bool json_outline_read(const char *text, struct json_outline *outline) {
  memset(outline, 0, sizeof *outline);
  // gps_unpack reads a line only if its very first byte is a brace.
  if (*text != '{') return false;
  const char *end = skip_object(text, 0, outline);
  if (end == NULL || *skip_space(end) != '\0' || outline->class_name.start == NULL) return false;
  outline->end = end - 1;
  return true;
}

bool json_array_next(struct json_span array, const char **cursor, struct json_span *element) {
  if (array.start == NULL) return false;
  const char *p = skip_space(*cursor == NULL ? array.start + 1 : *cursor);
  if (*p == ',') p = skip_space(p + 1);
  if (*p == ']') return false;
  element->start = p;
  p = skip_value(p, 0);
  if (p == NULL) return false;
  element->length = (size_t)(p - element->start);
  *cursor = p;
  return true;
}
