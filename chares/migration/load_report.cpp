// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/load_report.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

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

std::size_t LoadReport::moves(const std::vector<PeId>& at) const {
  std::size_t moves = 0;
  for (std::size_t i = 0; i < at.size(); ++i) moves += at[i] != elements[i].pe ? 1 : 0;
  return moves;
}

std::size_t keep_what_does_not_fit(const LoadReport& report, std::vector<PeId>& places) {
  if (report.memory.empty()) return 0;
  std::map<int, std::uint64_t> room;  // of each device: the least that one of its PEs has seen
  for (const DeviceMemory& each : report.memory) {
    const auto known = room.try_emplace(each.device, each.room).first;
    known->second = std::min(known->second, each.room);
  }
  std::vector<std::size_t> leaving;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] != report.elements[i].pe && report.elements[i].device_bytes > 0) leaving.push_back(i);
  std::stable_sort(leaving.begin(), leaving.end(), [&](std::size_t a, std::size_t b) {
    return report.elements[a].seconds > report.elements[b].seconds;
  });
  std::size_t kept = 0;
  for (const std::size_t i : leaving) {
    const ElementLoad& element = report.elements[i];
    const int from = report.memory[element.pe].device, to = report.memory[places[i]].device;
    if (from == to) continue;
    if (element.device_bytes <= room[to]) {
      room[to] -= element.device_bytes;
    } else {
      places[i] = element.pe;
      ++kept;
    }
  }
  return kept;
}

std::string BalanceStep::text() const {
  char text[200];
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::snprintf(text, sizeof text,
                "%llu of %llu elements moved; the most loaded PE had %.3g s, has %.3g s, mean %.3g s; took %.3g s",
                number(moved), number(elements), most_before, most_after, mean_seconds, taken_seconds);
  std::string said = text;
  if (calls > 1) said += "; after " + std::to_string(calls) + " calls";
  if (too_large > 0) said += "; " + std::to_string(too_large) + " stayed for want of device memory";
  if (!was_worth) said += "; moving would have cost more than it brings";
  return said;
}

std::string BalancingReport::text() const {
  char summed[120];
  std::snprintf(summed, sizeof summed, ": %llu steps, %llu moves, %.3g s\n", static_cast<unsigned long long>(steps),
                static_cast<unsigned long long>(moved), taken_seconds);
  std::string said = "balancing an array of " + array + summed;
  for (const BalanceStep& step : latest) said += "  " + step.text() + "\n";
  return said;
}

}  // namespace kaon::chares
