#ifndef CEXPAT_SHIM_H
#define CEXPAT_SHIM_H

#include <expat.h>
#include <stdint.h>

/// The parser's current line, counted from 1; since expat 2.9 the function with the shorter name is deprecated.
static inline uint64_t expat_line(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentLineNumber64(parser);
#else
  return XML_GetCurrentLineNumber(parser);
#endif
}

#endif
