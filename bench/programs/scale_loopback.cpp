// SPDX-License-Identifier: Apache-2.0
// A run of many PEs in one thread: how many messages, in how many steps, a broadcast, a reduction, a search for
// quiescence and the creation of an array take, and what memory a PE keeps. Nothing here tells of time.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>
#include <kaon/testing.hpp>

#include "bench/programs/measurement.hpp"
#include "kaon/runtime/messages/wire.hpp"

namespace scale_loopback {

/// Of blocks that operator new gave and nobody gave back, with what the heap adds to them. One thread only.
std::int64_t live_bytes = 0;

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  live_bytes += static_cast<std::int64_t>(malloc_usable_size(memory));
  return memory;
}

void release(void* memory) noexcept {
  live_bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

using kaon::testing::Scene;
using Parcel = kaon::testing::LoopbackNetwork::Parcel;

class Leaf : public kaon::Chare<Leaf> {
 public:
  void hear() {}
  std::uint64_t one() const { return 1; }
  /// One message to each of the others.
  void tell_all() {
    const int here = static_cast<int>(this->pe());
    for (int pe = 0; pe < array().shape().x; ++pe)
      if (pe != here) array()[pe].send<&Leaf::hear>();
  }
  /// So many batches for the first, of a message each.
  void tell_first(int batches) {
    for (int sent = 0; sent < batches && this->pe() != 0; ++sent) {
      array()[0].send<&Leaf::hear>();
      kaon::this_runtime().flush();
    }
  }
};

/// Messages of one PE to another process, as they lie in batches.
std::uint64_t messages_in(const Parcel& parcel) {
  kaon::runtime::BatchReader reader(parcel.bytes);
  kaon::runtime::WireMessage message{};
  std::uint64_t count = 0;
  while (reader.next(message)) ++count;
  return count;
}

struct Traffic {
  std::uint64_t steps = 0;         // in which something was under way between processes
  std::uint64_t messages = 0;      // between processes
  std::uint64_t batches = 0;       // that carried them
  std::uint64_t credits = 0;       // batches that carry nothing but credits
  std::uint64_t most_at_once = 0;  // batches for one PE
  std::uint64_t most_to_one = 0;
  std::uint64_t most_from_one = 0;
};

/// Runs a scene in steps: all PEs run what they have, then all that they sent to other processes arrives together. So
/// with one PE in each process the steps are the longest chain of messages.
class Steps {
 public:
  explicit Steps(Scene& scene)
      : scene_(scene), sent_(scene.network().pes()), taken_(scene.network().pes()), coming_(scene.network().pes()) {}

  Traffic run(const Scene::MainTask& main_task) {
    traffic_ = {};
    std::fill(sent_.begin(), sent_.end(), 0);
    std::fill(taken_.begin(), taken_.end(), 0);
    scene_.start(main_task);
    for (int still = 0; still < kStill;) still = step() ? 0 : still + 1;
    scene_.rethrow();
    if (!scene_.all_ended()) throw std::runtime_error("the run stands still; these wait:" + scene_.waits());
    traffic_.most_from_one = *std::max_element(sent_.begin(), sent_.end());
    traffic_.most_to_one = *std::max_element(taken_.begin(), taken_.end());
    return traffic_;
  }

 private:
  static constexpr int kStill = 8;  // steps without anything, in which timers may still come

  bool step() {
    kaon::testing::Network& network = scene_.network();
    bool has_run = false;
    for (kaon::PeId pe = 0; pe < network.pes(); ++pe)
      while (network.run(pe)) has_run = true;
    const bool has_sent = !network.wire().pending().empty();
    ++step_number_;
    std::fill(coming_.begin(), coming_.end(), 0);
    for (const Parcel& parcel : network.wire().pending()) note(parcel);
    while (network.wire().deliver_next()) {
    }
    network.pass(std::chrono::milliseconds(1));
    return has_run || has_sent;
  }

  void note(const Parcel& parcel) {
    const std::uint64_t messages = messages_in(parcel);
    if (messages == 0) return void(++traffic_.credits);
    if (std::exchange(last_, step_number_) != step_number_) ++traffic_.steps;
    traffic_.messages += messages;
    ++traffic_.batches;
    sent_[parcel.from] += messages;
    taken_[parcel.to] += messages;
    traffic_.most_at_once = std::max(traffic_.most_at_once, ++coming_[parcel.to]);
  }

  Scene& scene_;
  Traffic traffic_;
  std::uint64_t step_number_ = 0, last_ = 0;
  std::vector<std::uint64_t> sent_, taken_;  // messages, by PE
  std::vector<std::uint64_t> coming_;        // batches of a step, by PE
};

struct Run {
  int processes = 64;
  int pes = 1;
  int host = 0;     // processes of each; 0: all are on one
  int batches = 0;  // that all PEs send to one at once
};

kaon::testing::Network::Shape shape_of(const Run& run) {
  std::vector<int> hosts;
  for (int process = 0; run.host > 0 && process < run.processes; ++process) hosts.push_back(process / run.host);
  return {run.processes, run.pes, std::move(hosts)};
}

void print(const std::string& what, const Traffic& traffic) {
  const auto value = [](std::uint64_t count) { return static_cast<double>(count); };
  kaon::bench::print_measurement(what + " steps", value(traffic.steps), "steps");
  kaon::bench::print_measurement(what + " messages", value(traffic.messages), "messages");
  kaon::bench::print_measurement(what + " batches", value(traffic.batches), "batches");
  kaon::bench::print_measurement(what + " credits", value(traffic.credits), "batches");
  kaon::bench::print_measurement(what + " most at once", value(traffic.most_at_once), "batches");
  kaon::bench::print_measurement(what + " most from one PE", value(traffic.most_from_one), "messages");
  kaon::bench::print_measurement(what + " most to one PE", value(traffic.most_to_one), "messages");
}

class Measurement {
 public:
  explicit Measurement(const Run& run)
      : pes_(run.processes * run.pes), batches_(run.batches), before_(live_bytes), scene_(shape_of(run)) {}

  void run() {
    print_memory("before the run");
    measure("creation", [this](kaon::Runtime& runtime) { return create(runtime); });
    measure("broadcast", [this](kaon::Runtime&) { return broadcast(leaves_); });
    measure("broadcast and reduction", [this](kaon::Runtime&) { return count(leaves_, pes_); });
    measure("quiescence", [](kaon::Runtime& runtime) { return quiescence(runtime); });
    measure("one PE to all", [this](kaon::Runtime&) { return meet(leaves_); });
    if (batches_ > 0) measure("all PEs to one", [this](kaon::Runtime&) { return flood(leaves_, batches_); });
  }

 private:
  kaon::Task<> create(kaon::Runtime& runtime) { leaves_ = co_await runtime.create_group<Leaf>(); }
  static kaon::Task<> broadcast(kaon::Group<Leaf> leaves) {
    leaves.broadcast<&Leaf::hear>();
    co_return;
  }
  static kaon::Task<> count(kaon::Group<Leaf> leaves, int pes) {
    const std::uint64_t all = co_await leaves.call_all<&Leaf::one>(kaon::sum);
    if (all != static_cast<std::uint64_t>(pes)) throw std::logic_error(fmt::format("{} of {} answered", all, pes));
  }
  static kaon::Task<> quiescence(kaon::Runtime& runtime) { co_await runtime.quiescence(); }
  static kaon::Task<> meet(kaon::Group<Leaf> leaves) {
    leaves[0].send<&Leaf::tell_all>();
    co_return;
  }

  static kaon::Task<> flood(kaon::Group<Leaf> leaves, int batches) {
    leaves.broadcast<&Leaf::tell_first>(batches);
    co_return;
  }

  void measure(const std::string& what, const Scene::MainTask& main_task) {
    print(what, Steps(scene_).run(main_task));
    print_memory("after " + what);
  }
  void print_memory(const std::string& when) const {
    kaon::bench::print_measurement("memory of a PE " + when, static_cast<double>(live_bytes - before_) / pes_, "B");
  }

  int pes_;
  int batches_;
  std::int64_t before_;
  Scene scene_;
  kaon::Group<Leaf> leaves_;
};

int main_of(int argc, char** argv) {
  Run run;
  CLI::App app("Messages, steps and memory of a run of many PEs in one thread");
  app.add_option("--processes", run.processes)->check(CLI::Range(1, 1 << 16))->capture_default_str();
  app.add_option("--pes", run.pes, "of each process")->check(CLI::Range(1, 1 << 16))->capture_default_str();
  app.add_option("--host", run.host, "processes of each host; 0: all")->check(CLI::Range(0, 1 << 16));
  app.add_option("--batches", run.batches, "that all PEs send to one at once")->check(CLI::Range(0, 1'000'000));
  CLI11_PARSE(app, argc, argv);
  Measurement(run).run();
  return 0;
}

}  // namespace scale_loopback

void* operator new(std::size_t bytes) { return scale_loopback::counted(std::malloc(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return scale_loopback::counted(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept { scale_loopback::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { scale_loopback::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { scale_loopback::release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { scale_loopback::release(memory); }

int main(int argc, char** argv) { return scale_loopback::main_of(argc, argv); }
