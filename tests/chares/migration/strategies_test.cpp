// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/strategies.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::chares;

namespace {

/// Elements of different weights, all on the first half of the PEs.
LoadReport uneven(std::uint64_t count, PeId pes, int processes = 1) {
  LoadReport report;
  report.pes = pes;
  report.processes = processes;
  std::uint64_t state = 12345;
  for (std::uint64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double seconds = 1.0 + static_cast<double>(state >> 40) / static_cast<double>(1u << 24);
    report.elements.push_back({i, seconds, static_cast<PeId>(i * ((pes + 1) / 2) / count), 1});
  }
  return report;
}

double imbalance(const LoadReport& report, const std::vector<PeId>& places) {
  const std::vector<double> loads = report.loads(places);
  double sum = 0;
  for (const double load : loads) sum += load;
  return *std::max_element(loads.begin(), loads.end()) / (sum / static_cast<double>(loads.size()));
}

std::size_t moves(const LoadReport& report, const std::vector<PeId>& places) {
  std::size_t moves = 0;
  for (std::size_t i = 0; i < places.size(); ++i) moves += places[i] != report.elements[i].pe ? 1 : 0;
  return moves;
}

}  // namespace

TEST_CASE("greedy, refine and hierarchical even out loads", "[chares][balancing]") {
  for (const PeId pes : {1u, 2u, 4u, 12u}) {
    const LoadReport report = uneven(std::uint64_t{40} * pes, pes, pes % 4 == 0 ? 4 : 1);
    CHECK(imbalance(report, strategies::greedy(report)) < 1.02);
    CHECK(imbalance(report, strategies::refine(report)) < 1.05);
    CHECK(imbalance(report, strategies::hierarchical(report)) < 1.1);
  }
}

TEST_CASE("refine moves no more than it must, and nothing of what is even", "[chares][balancing]") {
  LoadReport report = uneven(400, 8);
  const auto refined = strategies::refine(report);
  CHECK(moves(report, refined) <= 210);  // half of the PEs had all
  CHECK(moves(report, strategies::greedy(report)) > moves(report, refined));
  for (std::size_t i = 0; i < refined.size(); ++i) report.elements[i].pe = refined[i];
  CHECK(moves(report, strategies::refine(report)) < 10);
}

TEST_CASE("hierarchical leaves processes that are even among themselves alone", "[chares][balancing]") {
  LoadReport report = uneven(80, 4, 2);
  for (std::size_t i = 0; i < 80; ++i) {
    report.elements[i].pe = i % 2 == 0 ? 0 : 2;  // the first PE of each process
    report.elements[i].seconds = 1;
  }
  const auto places = strategies::hierarchical(report);
  CHECK(imbalance(report, places) < 1.01);
  for (std::size_t i = 0; i < 80; ++i) CHECK(report.process_of(places[i]) == report.process_of(report.elements[i].pe));
}

TEST_CASE("elements that cannot move stay, and count", "[chares][balancing]") {
  LoadReport report = uneven(60, 3);
  for (std::size_t i = 0; i < 10; ++i) report.elements[i].can_move = 0;
  for (const auto strategy : {strategies::greedy, strategies::refine}) {
    const auto places = strategy(report);
    for (std::size_t i = 0; i < 10; ++i) CHECK(places[i] == report.elements[i].pe);
    CHECK(imbalance(report, places) < 1.1);
  }
}

TEST_CASE("graph keeps neighbors together, or says that METIS is not there", "[chares][balancing]") {
  LoadReport report;  // a ring, dealt round robin
  report.pes = 4;
  for (std::uint64_t i = 0; i < 64; ++i) {
    report.elements.push_back({i, 1, static_cast<PeId>(i % 4), 1});
    report.traffic.push_back({i, (i + 1) % 64, 100});
  }
  report.traffic.push_back({3, 1000, 100});  // to one that is no more
  std::vector<PeId> places;
  try {
    places = strategies::graph(report);
  } catch (const kaon::runtime::UsageError& error) {
    CHECK(std::string(error.what()).find("strategies::graph") == 0);
    return;
  }
  CHECK(imbalance(report, places) < 1.1);
  int cut = 0;
  for (std::size_t i = 0; i < 64; ++i) cut += places[i] != places[(i + 1) % 64] ? 1 : 0;
  CHECK(cut <= 8);
}

TEST_CASE("none moves nothing and rotate everything", "[chares][balancing]") {
  const LoadReport report = uneven(20, 4);
  CHECK(moves(report, strategies::none(report)) == 0);
  CHECK(moves(report, strategies::rotate(report)) == 20);
}

TEST_CASE("a step that does not pay is not taken", "[chares][balancing]") {
  LoadReport report = uneven(40, 2);
  const Strategy strategy = strategies::when_it_pays(strategies::refine);
  report.step_moves = 10;
  report.step_seconds = 0.001;
  CHECK(moves(report, strategy(report)) > 0);
  report.step_seconds = 1000;
  CHECK(moves(report, strategy(report)) == 0);
  report.step_moves = 0;  // nothing is known yet
  CHECK(moves(report, strategy(report)) > 0);
}

TEST_CASE("what does not fit into the memory of a device stays, the lightest first", "[chares][balancing]") {
  LoadReport report;
  report.pes = 3;  // PEs 1 and 2 share a device
  report.memory = {{0, 1000}, {1, 100}, {1, 90}};
  for (std::uint64_t i = 0; i < 6; ++i) report.elements.push_back({i, 1.0 + static_cast<double>(i), 0, 1, 0, 40});
  report.elements[5].device_bytes = 0;
  std::vector<PeId> places{1, 2, 1, 2, 1, 1};
  CHECK(keep_what_does_not_fit(report, places) == 3);
  CHECK(places == std::vector<PeId>{0, 0, 0, 2, 1, 1});
  report.elements[3].pe = 1;  // between PEs of one device nothing is moved
  places = {0, 0, 0, 2, 0, 0};
  CHECK(keep_what_does_not_fit(report, places) == 0);
  CHECK(places == std::vector<PeId>{0, 0, 0, 2, 0, 0});
  report.memory.clear();
  places.assign(6, 2);
  CHECK(keep_what_does_not_fit(report, places) == 0);
}
