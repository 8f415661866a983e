// SPDX-License-Identifier: Apache-2.0
// Entries that say what their messages are like: many and small, or in order; and priorities of bits.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "examples/guide/sections.hpp"

namespace guide {

class Bin : public kaon::Chare<Bin> {
 public:
  void count(int much) { sum_ += much; }
  int sum() const { return sum_; }

  using aggregated = kaon::Entries<&Bin::count>;

 private:
  int sum_ = 0;
};

kaon::Task<bool> small_messages(kaon::Runtime& runtime) {
  const auto bins = co_await runtime.create<Bin>(100);
  for (int i = 0; i < 10'000; ++i) bins[i * 37 % 100].send<&Bin::count>(1);  // as any other entry
  co_await runtime.quiescence();
  co_return co_await bins.call_all<&Bin::sum>(kaon::sum) == 10'000;
}

class Till : public kaon::Chare<Till> {
 public:
  void put(int amount) { balance_ += amount; }
  void take(int amount) { was_short_ = was_short_ || (balance_ -= amount) < 0; }
  bool is_right() const { return !was_short_ && balance_ == 0; }
  void move_to(kaon::PeId pe) { migrate_to(pe); }

  using ordered = kaon::Entries<&Till::put, &Till::take>;

  template <class Archive>
  void pup(Archive& archive) {
    archive(balance_, was_short_);
  }

 private:
  int balance_ = 0;
  bool was_short_ = false;
};

kaon::Task<bool> order(kaon::Runtime& runtime) {
  const auto accounts = co_await runtime.create<Till>(1);
  for (int i = 0; i < 100; ++i) {
    accounts[0].send<&Till::put>(10);
    if (i % 10 == 0) accounts[0].send<&Till::move_to>(static_cast<kaon::PeId>(i / 10) % runtime.pes());
    accounts[0].send<&Till::take>(10);  // never before its put()
  }
  co_await runtime.quiescence();
  co_return co_await accounts[0].call<&Till::is_right>();
}

class Found : public kaon::Chare<Found> {
 public:
  void note(int path) { paths_.push_back(path); }
  std::vector<int> paths() const { return paths_; }

 private:
  std::vector<int> paths_;
};

/// A node of a tree whose nodes have three children, to a depth of three.
class Branch : public kaon::Chare<Branch> {
 public:
  Branch(kaon::Element<Found> found, int path, int depth, kaon::BitPriority priority) {
    if (depth == 3) found.with_priority(priority).send<&Found::note>(path);
    for (int which = 2; which >= 0 && depth < 3; --which) {
      const kaon::BitPriority below = priority.child(static_cast<std::uint64_t>(which), 2);
      kaon::this_runtime().make_with_priority<Branch>(below, found, 3 * path + which, depth + 1, below);
    }
    destroy();
  }
};

kaon::Task<bool> bit_priorities(kaon::Runtime& runtime) {
  const kaon::Element<Found> found = runtime.make_on<Found>(0);
  runtime.make_with_priority<Branch>(kaon::BitPriority(), found, 0, 0, kaon::BitPriority());
  co_await runtime.quiescence();
  const std::vector<int> paths = co_await found.call<&Found::paths>();
  co_return paths.size() == 27 && (runtime.pes() > 1 || std::is_sorted(paths.begin(), paths.end()));
}

}  // namespace guide
