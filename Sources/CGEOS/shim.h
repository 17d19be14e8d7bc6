#ifndef CGEOS_SHIM_H
#define CGEOS_SHIM_H

// Only the functions that take a context, and so may be called by several threads.
#define GEOS_USE_ONLY_R_API
#include <geos_c.h>

#endif
