#include "CGPSDClient.h"

#include <gps.h>

int gpsd_api_major(void) { return GPSD_API_MAJOR_VERSION; }
