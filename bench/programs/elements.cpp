// SPDX-License-Identifier: Apache-2.0
// Resident memory of an empty element: how much the processes grow by an array of them. And the time to make one.
#include <unistd.h>

#include <cstdint>
#include <fstream>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace elements {

class Empty : public kaon::Chare<Empty> {};

/// One on each PE; the first of a process speaks for the process.
class Observer : public kaon::Chare<Observer> {
 public:
  std::int64_t resident_bytes() {
    const kaon::Runtime runtime = kaon::this_runtime();
    const auto pes_per_process = runtime.pes() / static_cast<kaon::PeId>(runtime.processes());
    if (pe() % pes_per_process != 0) return 0;
    std::int64_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * sysconf(_SC_PAGESIZE);
  }
};

kaon::Task<int> elements(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int count = 100'000;
  kaon::bench::CommandLine app("Memory of an empty element");
  app.number("--elements", count, 1, 100'000'000);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;

  const kaon::Group<Observer> observers = co_await runtime.create_group<Observer>();
  const kaon::Proxy<Empty> first = co_await runtime.create<Empty>(1000);  // what is needed once is there
  std::int64_t bytes = co_await observers.call_all<&Observer::resident_bytes>(kaon::sum);
  const auto start = kaon::bench::Clock::now();
  const kaon::Proxy<Empty> array = co_await runtime.create<Empty>(count);
  const double seconds = kaon::bench::seconds_between(start, kaon::bench::Clock::now());
  bytes = co_await observers.call_all<&Observer::resident_bytes>(kaon::sum) - bytes;
  kaon::bench::print_measurement(fmt::format("{} empty elements", array.shape().count()),
                                 static_cast<double>(bytes) / count, "B");
  kaon::bench::print_measurement(fmt::format("{} elements made, each", count), seconds * 1e9 / count, "ns");
  co_return first.shape().x == 1000 ? 0 : 1;
}

}  // namespace elements

int main(int argc, char** argv) { return kaon::run(argc, argv, elements::elements); }
