// Google's S2: its cell index over coverings of the circles, each candidate checked on the sphere.
//
//   s2 FOLDER
#include <s2/s2cap.h>
#include <s2/s2cell_index.h>
#include <s2/s2earth.h>
#include <s2/s2latlng.h>
#include <s2/s2region_coverer.h>

#include <memory>
#include <vector>

#include "measure.h"

namespace {

// With more cells a circle is covered more closely, but building takes longer; eight is the default of the library.
constexpr int cells_of_a_circle = 8;

struct Index {
  S2CellIndex cells;
  std::vector<S2Point> centers;
  std::vector<S1ChordAngle> radii;
  std::unique_ptr<S2CellIndex::RangeIterator> ranges;
  std::unique_ptr<S2CellIndex::ContentsIterator> contents;

  explicit Index(const workload &load) {
    S2RegionCoverer::Options options;
    options.set_max_cells(cells_of_a_circle);
    S2RegionCoverer coverer(options);
    std::vector<S2CellId> covering;
    for (size_t label = 0; label < load.circle_count; label++) {
      const circle &circle = load.circles[label];
      centers.push_back(S2LatLng::FromDegrees(circle.latitude, circle.longitude).ToPoint());
      radii.emplace_back(S2Earth::MetersToAngle(circle.radius));
      coverer.GetCovering(S2Cap(centers.back(), radii.back()), &covering);
      for (S2CellId cell : covering) cells.Add(cell, static_cast<int>(label));
    }
    cells.Build();
    ranges = std::make_unique<S2CellIndex::RangeIterator>(&cells);
    contents = std::make_unique<S2CellIndex::ContentsIterator>(&cells);
  }
};

size_t count_containing(void *context, double latitude, double longitude) {
  Index &index = *static_cast<Index *>(context);
  S2Point point = S2LatLng::FromDegrees(latitude, longitude).ToPoint();
  index.ranges->Seek(S2CellId(point));
  size_t total = 0;
  index.contents->Clear();
  for (index.contents->StartUnion(*index.ranges); !index.contents->done();
       index.contents->Next()) {
    int label = index.contents->label();
    total += S1ChordAngle(point, index.centers[label]) <= index.radii[label];
  }
  return total;
}

}  // namespace

int main(int count, char **words) {
  if (count != 2) fail("usage: s2 FOLDER");
  workload load = workload_open(words[1]);
  result result = result_named("s2-cell-index", "S2 " S2_VERSION);
  double before = memory_in_use(), began = seconds();
  Index index(load);
  result.build = seconds() - began;
  result.memory = memory_in_use() - before;
  measure_containment(count_containing, &index, &load, &result);
  result_print(&result);
  return 0;
}
