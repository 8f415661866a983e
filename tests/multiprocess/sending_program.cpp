// SPDX-License-Identifier: Apache-2.0
// What properties of entries do to messages between real processes. One kind a run: aggregated, ordered, broadcasts,
// bits, print, unclaimed, unclaimed_often, deleted, deleted_often, forgets.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

namespace sending {

std::uint64_t next_random(std::uint64_t state) { return state * 6364136223846793005u + 1442695040888963407u; }

/// Tokens walk about the stations, which move now and then.
class Station : public kaon::Chare<Station> {
 public:
  void hop(std::uint32_t left, std::uint64_t random) {
    ++taken_;
    if (left == 0) return;
    random = next_random(random);
    array()[static_cast<int>(random >> 33) % array().shape().x].send<&Station::hop>(left - 1, random);
    if (taken_ % 97 == 0) migrate_to(static_cast<kaon::PeId>(random >> 20) % kaon::this_runtime().pes());
  }
  void note(std::string text) { bytes_ += text.size(); }
  std::uint64_t taken() const { return taken_; }
  std::uint64_t bytes() const { return bytes_; }

  using aggregated = kaon::Entries<&Station::hop, &Station::note>;

  template <class Archive>
  void pup(Archive& archive) {
    archive(taken_, bytes_);
  }

 private:
  std::uint64_t taken_ = 0, bytes_ = 0;
};

kaon::Task<bool> aggregated(kaon::Runtime& runtime) {
  constexpr std::uint64_t kStations = 100, kTokens = 300, kHops = 200, kTexts = 500;
  const auto stations = co_await runtime.create<Station>(static_cast<int>(kStations));
  for (std::uint64_t token = 0; token < kTokens; ++token)
    stations[static_cast<int>(token % kStations)].send<&Station::hop>(std::uint32_t{kHops}, token);
  for (std::uint64_t i = 0; i < kTexts; ++i)
    stations[static_cast<int>(i % kStations)].send<&Station::note>(std::string(i * 23, 'x'));
  co_await runtime.quiescence();
  const std::uint64_t taken = co_await stations.call_all<&Station::taken>(kaon::sum);
  const std::uint64_t bytes = co_await stations.call_all<&Station::bytes>(kaon::sum);
  co_return taken == kTokens*(kHops + 1) && bytes == 23 * kTexts*(kTexts - 1) / 2;
}

class Clerk : public kaon::Chare<Clerk> {
 public:
  void feed(kaon::Element<Clerk> to, int from, int count) {
    for (int i = 0; i < count; ++i) to.send<&Clerk::take>(index().x, from + i);
    if (from % 3 == 0) migrate_to((pe() + 1) % kaon::this_runtime().pes());
    if (from + count < 400) self().send<&Clerk::feed>(to, from + count, count);
  }
  void take(int sender, int number) {
    next_.resize(static_cast<std::size_t>(array().shape().x));
    if (next_[static_cast<std::size_t>(sender)]++ != number) ++wrong_;
    if (number % 50 == 7) migrate_to((pe() + 1) % kaon::this_runtime().pes());
  }
  int wrong() const {
    int wrong = wrong_;
    for (const int next : next_) wrong += next == 400 ? 0 : 1;
    return wrong;
  }

  using ordered = kaon::Entries<&Clerk::take>;

  template <class Archive>
  void pup(Archive& archive) {
    archive(next_, wrong_);
  }

 private:
  std::vector<int> next_;
  int wrong_ = 0;
};

kaon::Task<bool> ordered(kaon::Runtime& runtime) {
  const auto clerks = co_await runtime.create<Clerk>(5);
  for (int from = 0; from < 5; ++from)
    for (int to = 0; to < 5; ++to) clerks[from].send<&Clerk::feed>(clerks[to], 0, 20);
  co_await runtime.quiescence();
  co_return co_await clerks.call_all<&Clerk::wrong>(kaon::sum) == 0;
}

/// Broadcasts numbers, hears those of the others, and moves now and then.
class Crier : public kaon::Chare<Crier> {
 public:
  void cry(int from) {
    for (int i = 0; i < 10; ++i) array().broadcast<&Crier::hear>(index().x, from + i);
    if (from % 20 == 0) migrate_to((pe() + 1) % kaon::this_runtime().pes());
    if (from + 10 < kCries) self().send<&Crier::cry>(from + 10);
  }
  void hear(int sender, int number) {
    next_.resize(static_cast<std::size_t>(array().shape().x));
    if (next_[static_cast<std::size_t>(sender)]++ != number) ++wrong_;
    if ((number + index().x) % 30 == 7) migrate_to((pe() + 1) % kaon::this_runtime().pes());
  }
  int wrong() const {
    int wrong = wrong_;
    for (const int next : next_) wrong += next == kCries ? 0 : 1;
    return wrong;
  }

  using ordered = kaon::Entries<&Crier::hear>;

  template <class Archive>
  void pup(Archive& archive) {
    archive(next_, wrong_);
  }

 private:
  static constexpr int kCries = 200;
  std::vector<int> next_;
  int wrong_ = 0;
};

kaon::Task<bool> broadcasts(kaon::Runtime& runtime) {
  const auto criers = co_await runtime.create<Crier>(7);
  criers.broadcast<&Crier::cry>(0);
  co_await runtime.quiescence();
  const int wrong = co_await criers.call_all<&Crier::wrong>(kaon::sum);
  co_return wrong == 0;
}

class Total : public kaon::Chare<Total> {
 public:
  void add(int much) { sum_ += much; }
  int sum() const { return sum_; }

 private:
  int sum_ = 0;
};

class Branch : public kaon::Chare<Branch> {
 public:
  Branch(kaon::Element<Total> total, int depth, kaon::BitPriority priority) {
    if (depth == 0) total.with_priority(priority).send<&Total::add>(1);
    for (std::uint64_t which = 0; which < 2 && depth > 0; ++which)
      kaon::this_runtime().make_with_priority<Branch>(priority.child(which, 20), total, depth - 1,
                                                      priority.child(which, 20));
    destroy();
  }
};

kaon::Task<bool> bits(kaon::Runtime& runtime) {
  const auto total = runtime.make_on<Total>(runtime.pes() - 1);
  runtime.make_with_priority<Branch>(kaon::BitPriority(), total, 12, kaon::BitPriority());
  co_await runtime.quiescence();
  co_return co_await total.call<&Total::sum>() == 1 << 12;
}

class Printer : public kaon::Chare<Printer> {
 public:
  void print(int lines) {
    for (int i = 0; i < lines; ++i) kaon::print("line " + std::to_string(i) + " " + std::string(60, 'x') + " end");
    kaon::print("two\nlines\n");
  }
};

kaon::Task<bool> print(kaon::Runtime& runtime) {
  const auto printers = co_await runtime.create_group<Printer>();
  printers.broadcast<&Printer::print>(400);
  co_await runtime.quiescence();
  co_return true;
}

kaon::Task<bool> unclaimed(kaon::Runtime& runtime, int messages) {
  const auto totals = co_await runtime.create_sparse<Total>();
  totals[3].insert();
  totals[3].send<&Total::add>(1);
  const int sum = co_await totals[3].call<&Total::sum>();
  for (int i = 0; i < messages; ++i) totals[77].send<&Total::add>(1);
  co_await runtime.sleep_for(std::chrono::milliseconds(20));
  co_return sum == 1;
}

class Mortal : public kaon::Chare<Mortal> {
 public:
  void end() { destroy(); }
  void set(int) {}
  int get() const { return 1; }
};

/// Of five messages to an element that is no more one is lost: calls fail where they are awaited, and what goes to all
/// passes it over. An array that is destroyed forgets nothing of it.
kaon::Task<bool> deleted(kaon::Runtime& runtime, int messages) {
  const auto mortals = co_await runtime.create<Mortal>(4);
  mortals[3].send<&Mortal::end>();
  co_await runtime.quiescence();
  for (int i = 0; i < messages; ++i) mortals[3].send<&Mortal::set>(1);
  mortals.broadcast<&Mortal::set>(1);
  bool is_refused = false;
  try {
    const int value = co_await mortals[3].call<&Mortal::get>();
    std::printf("got %d\n", value);
  } catch (const kaon::UsageError&) {
    is_refused = true;
  }
  const int left = co_await mortals.call_all<&Mortal::get>(kaon::sum);
  co_await mortals.destroy_and_wait();
  co_return is_refused&& left == 3;
}

/// Its pup forgets a member.
struct Pair {
  int first = 1, second = 2;
  template <class Archive>
  void pup(Archive& archive) {
    archive(first);
  }
};

class Taker : public kaon::Chare<Taker> {
 public:
  int take(Pair pair) { return pair.first + pair.second; }
};

kaon::Task<bool> forgets(kaon::Runtime& runtime) {
  const auto takers = co_await runtime.create<Taker>(4);
  Pair pair;
  pair.first = pair.second = 5;
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += co_await takers[i].call<&Taker::take>(pair);
  co_return sum == 4 * 7;  // each has got 5 and 2, with --serialize-always
}

kaon::Task<int> run_kind(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string kind = arguments.empty() ? "" : arguments.front();
  bool is_right = false;
  if (kind == "aggregated") is_right = co_await aggregated(runtime);
  if (kind == "ordered") is_right = co_await ordered(runtime);
  if (kind == "broadcasts") is_right = co_await broadcasts(runtime);
  if (kind == "bits") is_right = co_await bits(runtime);
  if (kind == "print") is_right = co_await print(runtime);
  const int messages = kind.ends_with("_often") ? 3 : 1;
  if (kind.starts_with("unclaimed")) is_right = co_await unclaimed(runtime, messages);
  if (kind == "forgets") is_right = co_await forgets(runtime);
  if (kind.starts_with("deleted")) is_right = co_await deleted(runtime, messages);
  if (!is_right) std::printf("wrong: %s\n", kind.c_str());
  co_return is_right ? 0 : 1;
}

}  // namespace sending

int main(int argc, char** argv) { return kaon::run(argc, argv, sending::run_kind); }
