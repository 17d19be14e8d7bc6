#ifndef CGEODESIC_H
#define CGEODESIC_H

#ifdef __cplusplus
extern "C" {
#endif

/// The length in metres of the shortest path on the WGS84 ellipsoid between two positions, and the
/// direction in which it leaves the first (degrees clockwise from north, -180 to 180).
/// Computed by GeographicLib (C. F. F. Karney, "Algorithms for geodesics", 2013), good to 15 nm.
double geodesic_inverse(double latitude1, double longitude1, double latitude2, double longitude2,
                        double *azimuth1);

/// The position reached by going `distance` metres from a position in direction `azimuth1`.
void geodesic_direct(double latitude1, double longitude1, double azimuth1, double distance,
                     double *latitude2, double *longitude2);

#ifdef __cplusplus
}
#endif
#endif
