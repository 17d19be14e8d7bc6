// GEOS: a tree of rectangles (STRtree). Circles are checked by GeographicLib's geodesic, polygons as prepared
// geometries.
//
//   geos FOLDER
#include <geos_c.h>

#include <GeographicLib/Config.h>
#include <GeographicLib/Geodesic.hpp>
#include <string>
#include <vector>

#include "measure.h"

namespace {

struct Index {
  const workload &load;
  GEOSContextHandle_t context = GEOS_init_r();
  GEOSSTRtree *tree = GEOSSTRtree_create_r(context, 10);
  std::vector<const GEOSPreparedGeometry *> polygons;
  std::vector<GEOSGeometry *> shapes;

  // The position that is asked for, for the callback of the tree.
  double latitude = 0, longitude = 0;
  const GEOSGeometry *point = nullptr;
  size_t total = 0;

  Index(const workload &load, bool has_polygons) : load(load) {
    for (size_t number = 0; number < load.circle_count; number++) {
      if (has_polygons) {
        insert_polygon(number);
      } else {
        rectangle box = workload_rectangle(&load.circles[number]);
        GEOSGeometry *shape =
            GEOSGeom_createRectangle_r(context, box.west, box.south, box.east, box.north);
        GEOSSTRtree_insert_r(context, tree, shape, item(number));
        // The tree keeps only the coordinates of the rectangle.
        GEOSGeom_destroy_r(context, shape);
      }
    }
  }

  ~Index() {
    GEOSSTRtree_destroy_r(context, tree);
    for (const GEOSPreparedGeometry *polygon : polygons) {
      GEOSPreparedGeom_destroy_r(context, polygon);
    }
    for (GEOSGeometry *shape : shapes) GEOSGeom_destroy_r(context, shape);
    GEOS_finish_r(context);
  }

  void insert_polygon(size_t number) {
    position corners[CORNERS + 1];
    workload_polygon(&load.circles[number], corners);
    GEOSCoordSequence *sequence = GEOSCoordSeq_create_r(context, CORNERS + 1, 2);
    for (unsigned corner = 0; corner <= CORNERS; corner++) {
      GEOSCoordSeq_setXY_r(
          context, sequence, corner, corners[corner].longitude, corners[corner].latitude);
    }
    GEOSGeometry *ring = GEOSGeom_createLinearRing_r(context, sequence);
    shapes.push_back(GEOSGeom_createPolygon_r(context, ring, nullptr, 0));
    polygons.push_back(GEOSPrepare_r(context, shapes.back()));
    GEOSSTRtree_insert_r(context, tree, shapes.back(), item(number));
  }

  // The tree keeps pointers; a null pointer means that there is no item.
  static void *item(size_t number) { return reinterpret_cast<void *>(number + 1); }
  static size_t number(void *item) { return reinterpret_cast<size_t>(item) - 1; }

  size_t query(double latitude, double longitude, GEOSQueryCallback callback) {
    this->latitude = latitude, this->longitude = longitude;
    total = 0;
    GEOSGeometry *asked = GEOSGeom_createPointFromXY_r(context, longitude, latitude);
    point = asked;
    GEOSSTRtree_query_r(context, tree, asked, callback, this);
    GEOSGeom_destroy_r(context, asked);
    return total;
  }
};

size_t circles_containing(void *context, double latitude, double longitude) {
  return static_cast<Index *>(context)->query(latitude, longitude, [](void *item, void *context) {
    Index &index = *static_cast<Index *>(context);
    const circle &circle = index.load.circles[Index::number(item)];
    double distance;
    GeographicLib::Geodesic::WGS84().Inverse(
        index.latitude, index.longitude, circle.latitude, circle.longitude, distance);
    index.total += distance <= circle.radius;
  });
}

size_t polygons_containing(void *context, double latitude, double longitude) {
  return static_cast<Index *>(context)->query(latitude, longitude, [](void *item, void *context) {
    Index &index = *static_cast<Index *>(context);
    const GEOSPreparedGeometry *polygon = index.polygons[Index::number(item)];
    index.total += GEOSPreparedCovers_r(index.context, polygon, index.point) == 1;
  });
}

void measure(const workload &load, bool has_polygons, const std::string &version) {
  containment *query = has_polygons ? polygons_containing : circles_containing;
  result result = result_named(has_polygons ? "geos-polygons" : "geos-strtree", version.c_str());
  double before = memory_in_use(), began = seconds();
  Index index(load, has_polygons);
  // The tree is built at the first query.
  query(&index, load.circles[0].latitude, load.circles[0].longitude);
  result.build = seconds() - began;
  result.memory = memory_in_use() - before;
  measure_containment(query, &index, &load, &result);
  result_print(&result);
}

}  // namespace

int main(int count, char **words) {
  if (count != 2) fail("usage: geos FOLDER");
  workload load = workload_open(words[1]);
  std::string geos = std::string("GEOS ") + GEOSversion();
  measure(load, false, geos + ", GeographicLib " GEOGRAPHICLIB_VERSION_STRING);
  measure(load, true, geos);
  return 0;
}
