// SPDX-License-Identifier: Apache-2.0
// What a run of several processes takes to begin, to reach all PEs and come back, to find out that nothing is under
// way, and what memory its processes have. Times of the clock are the same in all processes of a host.
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"
#include "kaon/machine_ucx/port.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace scale_processes {

using kaon::bench::Clock;
using kaon::bench::print_measurement;

double seconds_of_clock() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// A line of /proc/self/smaps_rollup, as "Pss", in bytes.
double memory_of(const std::string& name) {
  std::ifstream rollup("/proc/self/smaps_rollup");
  for (std::string word; rollup >> word;) {
    double kib = 0;
    if (word == name + ":" && rollup >> kib) return kib * 1024;
    rollup.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  throw std::runtime_error("/proc/self/smaps_rollup has no " + name);
}

class Probe : public kaon::Chare<Probe> {
 public:
  Probe() : began_(seconds_of_clock()), began_cpu_(seconds_of(CLOCK_PROCESS_CPUTIME_ID)) {}

  std::uint64_t one() const { return 1; }
  /// When the element was made, by the clock and in processor time of its process.
  double began() const { return began_; }
  double began_cpu() const { return began_cpu_; }
  double memory(const std::string& name) const { return memory_of(name); }
  /// Bytes that malloc() gave and nobody gave back.
  double heap() const {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  }

  void begin_cpu() { mark_ = seconds_of(CLOCK_THREAD_CPUTIME_ID); }
  /// Of the PE's thread since begin_cpu(), where so many PEs are below it in the tree.
  double cpu_with(unsigned below) const { return has(below) ? seconds_of(CLOCK_THREAD_CPUTIME_ID) - mark_ : 0; }
  std::uint64_t count_with(unsigned below) const { return has(below) ? 1 : 0; }

  double now() const { return seconds_of_clock(); }
  void hear() {
    last_ = seconds_of_clock();
    if (heard_++ == 0) first_ = last_;
  }
  /// Seconds between two of the messages that came since the last time.
  double gap() {
    const double gap = heard_ > 1 ? (last_ - first_) / (heard_ - 1) : 0;
    heard_ = 0;
    return gap;
  }

 private:
  bool has(unsigned below) const {
    kaon::runtime::Pe& pe = kaon::runtime::this_pe();
    return kaon::runtime::tree_from(0, pe).children(pe.id()) == below;
  }

  double began_, began_cpu_;
  double mark_ = 0;
  double first_ = 0, last_ = 0;
  int heard_ = 0;
};

using Probes = kaon::Group<Probe>;

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

namespace procedures {  // not unnamed: entries are told apart by their names

void hear(kaon::runtime::Pe&) {}

}  // namespace procedures

/// Of the first message of this PE to one of another process, which makes the connection; before any other.
void measure_connections(kaon::Runtime& runtime) {
  constexpr kaon::PeId kMost = 16;
  kaon::runtime::Pe& here = kaon::runtime::this_pe();
  std::vector<double> times;
  const kaon::PeId first = here.process().local_pes();  // main is on PE 0
  for (kaon::PeId pe = first; pe < std::min(runtime.pes(), first + kMost); ++pe) {
    const double start = seconds_of_clock();
    kaon::runtime::RemoteProcedure<&procedures::hear>::send(here, pe);
    runtime.flush();
    times.push_back(seconds_of_clock() - start);
  }
  if (times.empty()) return;
  print_measurement("a first send to a PE of another process", median(std::move(times)) * 1e6, "us");
}

/// How others reach a PE, as it goes around at the start.
void measure_contact() {
  const auto* port = dynamic_cast<const kaon::machine_ucx::UcxPort*>(kaon::runtime::this_pe().exchange().port());
  if (port != nullptr) print_measurement("contact of a PE", static_cast<double>(port->address().size()), "B");
}

kaon::Task<double> time_to_all(Probes probes) {
  const double start = seconds_of_clock();
  const std::uint64_t all = co_await probes.call_all<&Probe::one>(kaon::sum);
  if (all != probes.shape().count()) throw std::logic_error(fmt::format("{} PEs answered", all));
  co_return seconds_of_clock() - start;
}

kaon::Task<> measure_start(kaon::Runtime& runtime, Probes& probes) {
  print_measurement("clock when main began", seconds_of_clock(), "s");
  measure_connections(runtime);
  measure_contact();
  const double start = seconds_of_clock();
  probes = co_await runtime.create_group<Probe>();
  print_measurement("creation, with the connections of a tree", (seconds_of_clock() - start) * 1e6, "us");
  print_measurement("clock when all had begun", co_await probes.call_all<&Probe::began>(kaon::max), "s");
  const double cpu = co_await probes.call_all<&Probe::began_cpu>(kaon::sum);
  print_measurement("processor time of a process until then", cpu / runtime.pes() * 1e3, "ms");
}

/// Of a PE's thread, for one broadcast and reduction.
kaon::Task<> print_cpu(Probes probes, unsigned below, int repetitions) {
  const double seconds = co_await probes.call_all<&Probe::cpu_with>(kaon::sum, below);
  const std::uint64_t count = co_await probes.call_all<&Probe::count_with>(kaon::sum, below);
  if (count == 0) co_return;
  print_measurement(fmt::format("processor time of a PE with {} below it", below),
                    seconds / static_cast<double>(count) / repetitions * 1e6, "us");
}

kaon::Task<> measure_trees(kaon::Runtime& runtime, Probes probes, int repetitions) {
  co_await probes.call_all_and_wait<&Probe::begin_cpu>();
  std::vector<double> trees, quiet;
  for (int i = 0; i < repetitions; ++i) trees.push_back(co_await time_to_all(probes));
  for (const unsigned below : {0U, 4U}) co_await print_cpu(probes, below, repetitions);
  for (int i = 0; i < repetitions; ++i) {
    const double start = seconds_of_clock();
    co_await runtime.quiescence();
    quiet.push_back(seconds_of_clock() - start);
  }
  print_measurement("broadcast and reduction", median(trees) * 1e6, "us");
  print_measurement("quiescence", median(quiet) * 1e6, "us");
}

/// Each message leaves alone. What a send takes of the sender, and what lies between two at the receiver, which is no
/// less than what a message takes there.
kaon::Task<> measure_messages(kaon::Runtime& runtime, Probes probes, int repetitions) {
  constexpr int kRow = 32;  // fewer than there are credits
  const auto other = probes[1];
  std::vector<double> ways, sends, gaps;
  for (int i = 0; i < repetitions; ++i) {
    double start = seconds_of_clock();
    co_await other.call<&Probe::one>();
    ways.push_back((seconds_of_clock() - start) / 2);
    start = seconds_of_clock();
    for (int sent = 0; sent < kRow; ++sent) {
      other.send<&Probe::hear>();
      runtime.flush();
    }
    sends.push_back((seconds_of_clock() - start) / kRow);
    gaps.push_back(co_await other.call<&Probe::gap>());
  }
  print_measurement("one way", median(ways) * 1e6, "us");
  print_measurement("a send", median(sends) * 1e6, "us");
  print_measurement("between two at the receiver", median(gaps) * 1e6, "us");
}

/// To a PE that has had nothing to do for so long that it sleeps.
kaon::Task<> measure_waking(kaon::Runtime& runtime, Probes probes) {
  constexpr int kRepetitions = 50;
  std::vector<double> ways;
  for (int i = 0; i < kRepetitions; ++i) {
    co_await runtime.sleep_for(std::chrono::milliseconds(3));
    const double start = seconds_of_clock();
    ways.push_back(co_await probes[1].call<&Probe::now>() - start);
  }
  print_measurement("one way to a PE that sleeps", median(std::move(ways)) * 1e6, "us");
}

kaon::Task<> measure_memory(kaon::Runtime& runtime, Probes probes) {
  for (const char* const name : {"Rss", "Pss", "Anonymous"}) {
    const double bytes = co_await probes.call_all<&Probe::memory>(kaon::sum, std::string(name));
    print_measurement(std::string(name) + " of a process", bytes / runtime.pes() / 1e6, "MB");
  }
  const auto last = probes[static_cast<int>(runtime.pes()) - 1];  // has met one other PE, however many there are
  print_measurement("heap of the last process", co_await last.call<&Probe::heap>(), "B");
}

/// Until who started us has looked at the run.
void hold() {
  print_measurement("all is measured", 1, "");
  std::string line;
  std::getline(std::cin, line);
}

kaon::Task<int> measure(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int repetitions = 200;
  bool holds = false;
  kaon::bench::CommandLine app("Start, trees, quiescence and memory of a run of several processes");
  app.number("--repetitions", repetitions, 1, 1'000'000);
  app.flag("--hold", holds, "at the end, until a line comes");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;

  Probes probes;
  co_await measure_start(runtime, probes);
  co_await measure_trees(runtime, probes, repetitions);
  if (runtime.pes() == 2) {
    co_await measure_messages(runtime, probes, repetitions);
    co_await measure_waking(runtime, probes);
  }
  co_await measure_memory(runtime, probes);
  if (holds) hold();
  co_return 0;
}

}  // namespace scale_processes

int main(int argc, char** argv) { return kaon::run(argc, argv, scale_processes::measure); }
