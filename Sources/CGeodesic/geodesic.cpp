#include "CGeodesic.h"

#include <GeographicLib/DMS.hpp>
#include <GeographicLib/Geodesic.hpp>

double geodesic_inverse(double latitude1, double longitude1, double latitude2, double longitude2,
                        double *azimuth1) {
  double distance, azimuth2;
  GeographicLib::Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, distance,
                                           *azimuth1, azimuth2);
  return distance;
}

void geodesic_direct(double latitude1, double longitude1, double azimuth1, double distance,
                     double *latitude2, double *longitude2) {
  GeographicLib::Geodesic::WGS84().Direct(latitude1, longitude1, azimuth1, distance, *latitude2,
                                          *longitude2);
}

bool degrees_decode(const char *text, bool is_longitude, double *degrees) {
  using GeographicLib::DMS;
  try {
    DMS::flag hemisphere;
    *degrees = DMS::Decode(text, hemisphere);
    return hemisphere == DMS::NONE || (hemisphere == DMS::LONGITUDE) == is_longitude;
  } catch (const std::exception &) {
    return false;
  }
}
