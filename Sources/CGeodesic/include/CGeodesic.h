#ifndef CGEODESIC_H
#define CGEODESIC_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The length in metres of the shortest path on the WGS84 ellipsoid between two positions, and its direction at the
/// first one (degrees clockwise from north, -180 to 180).
/// Computed by GeographicLib (C. F. F. Karney, "Algorithms for geodesics", 2013), accurate to 15 nm.
double geodesic_inverse(double latitude1, double longitude1, double latitude2, double longitude2,
                        double *azimuth1);

/// The position reached by going `distance` metres from a position in direction `azimuth1`.
void geodesic_direct(double latitude1, double longitude1, double azimuth1, double distance,
                     double *latitude2, double *longitude2);

/// Reads an angle such as 54:19.5N, in degrees of any size, positive to the north and east; false if the text isn't an
/// angle, or has a hemisphere of the other axis.
bool degrees_decode(const char *text, bool is_longitude, double *degrees);

#ifdef __cplusplus
}
#endif
#endif
