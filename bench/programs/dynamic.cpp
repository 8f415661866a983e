// SPDX-License-Identifier: Apache-2.0
// Chares that come and go: single ones, and elements of a sparse array. Time of each from its making to its end, and
// the memory of those that stay.
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace dynamic {

using kaon::bench::Clock;
using kaon::bench::seconds_between;

/// Makes the next one and ends.
class Link : public kaon::Chare<Link> {
 public:
  explicit Link(int left) {
    if (left > 0) kaon::this_runtime().make_on<Link>(pe(), left - 1);
    destroy();
  }
};

/// Ends at once.
class Mayfly : public kaon::Chare<Mayfly> {
 public:
  Mayfly() { destroy(); }
};

class Empty : public kaon::Chare<Empty> {};

class Cell : public kaon::Chare<Cell, std::int64_t> {
 public:
  void end() { destroy(); }
};

/// One on each PE: makes them, and lets its PE keep up.
class Maker : public kaon::Chare<Maker> {
 public:
  kaon::Task<> make_mayflies(kaon::PeId to, int count) {
    for (int i = 1; i <= count; ++i) {
      const auto made = kaon::this_runtime().make_on<Mayfly>(to);
      if (i % kAtATime == 0) co_await made.ready();
    }
  }
  kaon::Task<> insert_and_delete(kaon::Proxy<Cell> cells, int count) {
    for (int i = 1; i <= count; ++i) {
      cells[i].insert_on(pe());
      cells[i].send<&Cell::end>();
      if (i % kAtATime == 0) co_await cells[i].ready();
    }
  }
  kaon::Task<> insert(kaon::Proxy<Cell> cells, int count) {
    for (int i = 1; i <= count; ++i) {
      cells[i].insert();
      if (i % kAtATime == 0) co_await cells[i].ready();
    }
  }
  std::int64_t resident_bytes() {
    const kaon::Runtime runtime = kaon::this_runtime();
    if (pe() % (runtime.pes() / static_cast<kaon::PeId>(runtime.processes())) != 0) return 0;  // its process is counted
    std::int64_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * sysconf(_SC_PAGESIZE);
  }

 private:
  static constexpr int kAtATime = 64;
};

/// Prints the time of each of so many, from now until there is quiescence.
template <class Start>
kaon::Task<> time_each(kaon::Runtime& runtime, std::string name, int count, Start start) {
  const auto began = Clock::now();
  start();
  co_await runtime.quiescence();
  kaon::bench::print_measurement(name, seconds_between(began, Clock::now()) * 1e9 / count, "ns");
}

/// Arrays of few elements that come and go.
kaon::Task<> time_arrays(kaon::Runtime& runtime) {
  constexpr int kArrays = 200, kElements = 100;
  std::vector<kaon::Proxy<Empty>> arrays;
  const auto began = Clock::now();
  for (int i = 0; i < kArrays; ++i) arrays.push_back(co_await runtime.create<Empty>(kElements));
  const auto made = Clock::now();
  for (const auto& array : arrays) co_await array.destroy_and_wait();
  const auto ended = Clock::now();
  kaon::bench::print_measurement("arrays of 100 elements made", seconds_between(began, made) * 1e9 / kArrays, "ns");
  kaon::bench::print_measurement("arrays of 100 elements destroyed", seconds_between(made, ended) * 1e9 / kArrays,
                                 "ns");
}

kaon::Task<> measure(kaon::Runtime& runtime, int count) {
  const auto makers = co_await runtime.create_group<Maker>();
  const auto maker = makers[0];
  const kaon::PeId last = runtime.pes() - 1;
  co_await time_each(runtime, "single chares one after the other", count, [&] { runtime.make_on<Link>(0, count - 1); });
  co_await time_each(runtime, "single chares, many on the same PE", count,
                     [&] { maker.send<&Maker::make_mayflies>(0u, count); });
  co_await time_each(runtime, "single chares, many on the last PE", count,
                     [&] { maker.send<&Maker::make_mayflies>(last, count); });
  const auto brief = co_await runtime.create_sparse<Cell>();
  co_await time_each(runtime, "elements inserted and deleted", count,
                     [&] { maker.send<&Maker::insert_and_delete>(brief, count); });
  const auto cells = co_await runtime.create_sparse<Cell>();
  const std::int64_t before = co_await makers.call_all<&Maker::resident_bytes>(kaon::sum);
  co_await time_each(runtime, "elements inserted", count, [&] { maker.send<&Maker::insert>(cells, count); });
  const std::int64_t after = co_await makers.call_all<&Maker::resident_bytes>(kaon::sum);
  kaon::bench::print_measurement("empty sparse element", static_cast<double>(after - before) / count, "B");
  const auto began = Clock::now();
  co_await cells.destroy_and_wait();
  kaon::bench::print_measurement("elements of a destroyed array", seconds_between(began, Clock::now()) * 1e9 / count,
                                 "ns");
  co_await time_arrays(runtime);
}

kaon::Task<int> dynamic(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int count = 300'000;
  kaon::bench::CommandLine app("Chares that come and go, time for each");
  app.number("--count", count, 1000, 100'000'000);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  co_await measure(runtime, count);
  co_return 0;
}

}  // namespace dynamic

int main(int argc, char** argv) { return kaon::run(argc, argv, dynamic::dynamic); }
