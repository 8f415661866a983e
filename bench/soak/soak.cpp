// SPDX-License-Identifier: Apache-2.0
// Very many messages of every kind: does the memory of the processes stay as it is, and does each message come once?
// Rounds of chains of messages from element to element, some of which also move, come, go, carry payloads or are single
// chares. Ends with 0 when all came and no process grew by more than a limit after its first rounds.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/random.hpp"
#include "bench/programs/resident.hpp"

namespace soak {

using kaon::bench::next_random;
using kaon::bench::pick;

/// One on each PE: what came there that no element of the array counts.
class Tally : public kaon::Chare<Tally> {
 public:
  void add() { ++count_; }
  std::uint64_t count() const { return count_; }
  std::int64_t resident_bytes() const { return kaon::bench::status_bytes("VmRSS"); }

 private:
  std::uint64_t count_ = 0;
};

class Single : public kaon::Chare<Single> {
 public:
  explicit Single(const kaon::Group<Tally>& tally) {
    tally.local().add();
    destroy();
  }
};

class Guest : public kaon::Chare<Guest, std::int64_t> {
 public:
  explicit Guest(const kaon::Group<Tally>& tally) : tally_(tally) {}
  void leave() {
    tally_.local().add();
    destroy();
  }

 private:
  kaon::Group<Tally> tally_;
};

struct Others {
  kaon::Group<Tally> tally;
  kaon::Proxy<Guest> guests;
  int rare = 256;  // of so many messages one has something to do besides
};

class Node : public kaon::Chare<Node> {
 public:
  Node() = default;
  explicit Node(const Others& others) : others_(others) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(others_, count_, last_guest_);
  }

  void start(int chains, int hops, std::uint64_t seed) {
    ++count_;
    seed += static_cast<std::uint64_t>(index().x) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < chains; ++i) pass(next_random(seed += 2), hops);
  }
  void hop(std::uint64_t state, int left) {
    ++count_;
    if (pick(state * 0x9e3779b97f4a7c15u, others_.rare) == 0) do_rare(state);
    if (left > 1) pass(next_random(state), left - 1);
  }
  void take(const kaon::Payload<std::uint64_t>& payload) { count_ += payload.view().back(); }
  std::uint64_t count() const { return count_; }
  kaon::Task<std::uint64_t> agree() { co_return co_await contribute(kaon::sum, std::uint64_t{1}); }

 private:
  void pass(std::uint64_t state, int left) const {
    array()[pick(state, array().shape().x)].send<&Node::hop>(state, left);
  }
  /// What counts for one message more.
  void do_rare(std::uint64_t state) {
    kaon::Runtime runtime = kaon::this_runtime();
    const auto what = state >> 40 & 3;
    if (what == 0) {
      ++count_;
      migrate_to(static_cast<kaon::PeId>(pick(next_random(state), static_cast<int>(runtime.pes()))));
    } else if (what == 1) {
      std::vector<std::uint64_t> values(1 + static_cast<std::size_t>(pick(next_random(state), 4096)));
      values.back() = 1;
      array()[pick(state, array().shape().x)].send<&Node::take>(kaon::Payload(std::move(values)));
    } else if (what == 2) {
      runtime.make<Single>(others_.tally);
    } else {
      const auto guest = others_.guests[(std::int64_t{index().x} << 32) + last_guest_++];
      guest.insert(others_.tally);
      guest.send<&Guest::leave>();
    }
  }

  Others others_;
  std::uint64_t count_ = 0;
  std::int64_t last_guest_ = 0;
};

struct Options {
  std::uint64_t messages = 10'000'000;
  double seconds = 0;
  int elements = 64, chains = 16, hops = 500;
  int warm_up = 3;
  double growth_mib = 0;  // 0: what the most that ever was under way at once makes of it, which grows with the PEs
};

/// How many messages of chains a round has that are something besides: known, as chains are numbers.
std::uint64_t rare_in_chains(const Options& options, int rare, int count, std::uint64_t seed) {
  std::uint64_t found = 0;
  for (int x = 0; x < count; ++x) {
    std::uint64_t chain = seed + static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < options.chains; ++i) {
      std::uint64_t state = next_random(chain += 2);
      for (int left = options.hops; left > 0; --left, state = next_random(state))
        found += pick(state * 0x9e3779b97f4a7c15u, rare) == 0;
    }
  }
  return found;
}

class Soak {
 public:
  Soak(kaon::Runtime& runtime, const Options& options, const kaon::Proxy<Node>& nodes, const Others& others)
      : runtime_(runtime), options_(options), nodes_(nodes), others_(others) {}

  kaon::Task<int> run() {
    for (int round = 0; sent_ < options_.messages && !is_time_over(); ++round) {
      nodes_.broadcast<&Node::start>(options_.chains, options_.hops, static_cast<std::uint64_t>(round));
      const std::uint64_t expected = expected_in_round(static_cast<std::uint64_t>(round));
      co_await runtime_.quiescence();
      sent_ += expected;
      if (!co_await have_all_come()) co_return 1;
      co_await look_at_memory(round);
    }
    const double grown = static_cast<double>(last_ - first_) / (1 << 20);
    const bool is_flat = grown <= allowed_growth();
    std::printf("%.3g messages in %.0f s; the largest process had %.1f MiB after %d rounds, %.1f at the end: %s\n",
                static_cast<double>(sent_), seconds(), mib(first_), options_.warm_up, mib(last_),
                is_flat ? "flat" : "wrong: it grows");
    co_return is_flat ? 0 : 1;
  }

 private:
  /// Pools keep what the fullest moment took, and a fuller one still comes from time to time: 1 MiB for each doubling
  /// of the messages, with 4 PEs (measured to 3e9). What leaks grows with their number instead.
  double allowed_growth() const {
    const double pes = static_cast<double>(runtime_.pes()) / runtime_.processes();
    return options_.growth_mib > 0 ? options_.growth_mib : 6 + 2 * pes;
  }
  static double mib(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  bool is_time_over() const { return options_.seconds > 0 && seconds() > options_.seconds; }
  std::uint64_t expected_in_round(std::uint64_t seed) const {
    const int count = nodes_.shape().x;
    const auto chains = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(options_.chains);
    return static_cast<std::uint64_t>(count) + chains * static_cast<std::uint64_t>(options_.hops) +
           rare_in_chains(options_, others_.rare, count, seed);
  }
  kaon::Task<bool> have_all_come() {
    const std::uint64_t agreed = co_await nodes_.call_all<&Node::agree>(kaon::min);
    std::uint64_t come = co_await nodes_.call_all<&Node::count>(kaon::sum);
    come += co_await others_.tally.call_all<&Tally::count>(kaon::sum);
    const bool is_right = come == sent_ && agreed == nodes_.shape().count();
    if (!is_right)
      std::printf("wrong: of %llu messages %llu came\n", static_cast<unsigned long long>(sent_),
                  static_cast<unsigned long long>(come));
    co_return is_right;
  }
  kaon::Task<> look_at_memory(int round) {
    last_ = co_await others_.tally.call_all<&Tally::resident_bytes>(kaon::max);
    if (round < options_.warm_up) first_ = last_;
    if (seconds() < next_line_) co_return;
    next_line_ = 1.5 * seconds() + 1;
    std::printf("%.3g messages, %.2f million a second, %.1f MiB\n", static_cast<double>(sent_),
                static_cast<double>(sent_) / seconds() / 1e6, mib(last_));
    std::fflush(stdout);
  }

  kaon::Runtime& runtime_;
  const Options& options_;
  kaon::Proxy<Node> nodes_;
  Others others_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double next_line_ = 0;
  std::uint64_t sent_ = 0;
  std::int64_t first_ = 0, last_ = 0;  // bytes of the largest process
};

kaon::Task<int> soak_main(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app("Sends very many messages of every kind and looks whether memory stays as it is.");
  app.value("--messages", options.messages, "at least so many");
  app.value("--seconds", options.seconds, "no further round is begun after these; 0: no limit");
  app.number("--elements", options.elements, 1, 100000, "of each PE");
  app.number("--chains", options.chains, 1, 100000, "that each element starts in a round");
  app.number("--hops", options.hops, 1, 1000000, "of each chain");
  app.value("--growth-mib", options.growth_mib, "that a process may grow by; 0: 6 and 2 for each of its PEs");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  Others others;
  others.tally = co_await runtime.create_group<Tally>();
  others.guests = co_await runtime.create_sparse<Guest>();
  const auto nodes = co_await runtime.create<Node>(options.elements * static_cast<int>(runtime.pes()), others);
  Soak soak(runtime, options, nodes, others);
  co_return co_await soak.run();
}

}  // namespace soak

int main(int argc, char** argv) { return kaon::run(argc, argv, soak::soak_main); }
