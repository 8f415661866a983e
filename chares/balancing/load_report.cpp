// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/balancing/load_report.hpp"

namespace kaon::chares {

std::vector<PeId> LoadReport::places() const {
  std::vector<PeId> places;
  places.reserve(elements.size());
  for (const ElementLoad& each : elements) places.push_back(each.pe);
  return places;
}

std::vector<double> LoadReport::loads(const std::vector<PeId>& at) const {
  std::vector<double> loads(pes, 0.0);
  for (std::size_t i = 0; i < elements.size(); ++i) loads[at[i]] += elements[i].seconds;
  return loads;
}

}  // namespace kaon::chares
