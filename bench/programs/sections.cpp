// SPDX-License-Identifier: Apache-2.0
// What is sent to some elements of an array, or to all: time of each that is reached, with what comes back combined.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace sections {

using kaon::bench::Clock;
using kaon::bench::seconds_between;

class Cell : public kaon::Chare<Cell> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(got_);
  }
  void take(int value) { got_ += value; }
  int got() const { return got_; }
  void go(kaon::PeId to) { migrate_to(to); }
  kaon::Task<int> agree(kaon::Section<Cell> section) { co_return co_await contribute(section, kaon::sum, 1); }

 private:
  int got_ = 0;
};

struct Sizes {
  int elements = 100'000;
  int members = 1'000;
  int times = 200;
};

std::vector<kaon::Index> draw_members(const Sizes& sizes) {
  std::vector<int> all(static_cast<std::size_t>(sizes.elements));
  std::iota(all.begin(), all.end(), 0);
  std::mt19937 random(1);
  std::shuffle(all.begin(), all.end(), random);
  all.resize(static_cast<std::size_t>(sizes.members));
  return {all.begin(), all.end()};
}

/// Prints the median time of `times` runs, each for `each` elements.
template <class Run>
kaon::Task<> time_each(std::string name, int times, int each, Run run) {
  std::vector<double> seconds;
  for (int i = 0; i < times; ++i) {
    const auto began = Clock::now();
    co_await run();
    seconds.push_back(seconds_between(began, Clock::now()));
  }
  std::nth_element(seconds.begin(), seconds.begin() + times / 2, seconds.end());
  kaon::bench::print_measurement(name, seconds[static_cast<std::size_t>(times / 2)] * 1e9 / each, "ns");
}

kaon::Task<> time_all(kaon::Proxy<Cell> cells, const Sizes& sizes, std::string what) {
  const auto all = [&] { return cells.call_all_and_wait<&Cell::take>(1); };
  co_await time_each(std::move(what), std::max(3, sizes.times / 10), sizes.elements, all);
}

kaon::Task<> move_all(kaon::Runtime& runtime, kaon::Proxy<Cell> cells, const Sizes& sizes) {
  const auto pes = static_cast<int>(runtime.pes());
  for (int i = 0; i < sizes.elements; ++i) {
    cells[i].send<&Cell::go>(static_cast<kaon::PeId>(i % pes));
    if (i % 64 == 0) co_await cells[i].ready();
  }
  co_await runtime.quiescence();
}

kaon::Task<> measure(kaon::Runtime& runtime, const Sizes& sizes) {
  const auto cells = co_await runtime.create<Cell>(sizes.elements);
  const auto began = Clock::now();
  const auto section = co_await cells.section(draw_members(sizes));
  kaon::bench::print_measurement("a section made, each member",
                                 seconds_between(began, Clock::now()) * 1e9 / sizes.members, "ns");
  const auto many = [&] { return section.call_all_and_wait<&Cell::take>(1); };
  co_await time_each("a section reached, each member", sizes.times, sizes.members, many);
  const auto reduced = [&] { return section.call_all<&Cell::agree>(kaon::max, section); };
  co_await time_each("a section reduces, each member", sizes.times, sizes.members, reduced);
  co_await time_all(cells, sizes, "an array reached, each element");
  co_await move_all(runtime, cells, sizes);
  co_await time_each("the same section, where elements have moved", sizes.times, sizes.members, many);
  co_await time_all(cells, sizes, "the same array, where elements have moved");
}

kaon::Task<int> sections(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Sizes sizes;
  kaon::bench::CommandLine app("Sections and arrays, time for each element that is reached");
  app.number("--elements", sizes.elements, 10, 100'000'000);
  app.number("--members", sizes.members, 1, 100'000'000);
  app.number("--times", sizes.times, 1, 1'000'000);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  sizes.members = std::min(sizes.members, sizes.elements);
  co_await measure(runtime, sizes);
  co_return 0;
}

}  // namespace sections

int main(int argc, char** argv) { return kaon::run(argc, argv, sections::sections); }
