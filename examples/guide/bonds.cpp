// SPDX-License-Identifier: Apache-2.0
// Arrays bound to arrays.
#include <numeric>
#include <vector>

#include "examples/guide/sections.hpp"

namespace guide {

/// A piece of a field, which wanders.
class Patch : public kaon::Chare<Patch> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(values_);
  }

  void fill(int value) { values_.assign(100, value); }
  int total() const { return std::accumulate(values_.begin(), values_.end(), 0); }
  void go_round(int more) {
    migrate_to((pe() + 1) % kaon::this_runtime().pes());
    if (more > 0) self().send<&Patch::go_round>(more - 1);
  }

 private:
  std::vector<int> values_;
};

/// Watches a patch, and is always beside it.
class Watcher : public kaon::Chare<Watcher> {
 public:
  Watcher() = default;
  explicit Watcher(kaon::Proxy<Patch> patches) : patches_(patches) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(patches_);
  }

  int see() { return patches_[index()].local()->total(); }

 private:
  kaon::Proxy<Patch> patches_;
};

kaon::Task<bool> bound_arrays(kaon::Runtime& runtime) {
  constexpr int kCount = 10;
  const auto patches = co_await runtime.create<Patch>(kCount);
  const auto watchers = co_await runtime.create_bound<Watcher>(patches, patches);
  co_await patches.call_all_and_wait<&Patch::fill>(3);
  patches.broadcast<&Patch::go_round>(5);
  const int on_the_way = co_await watchers.call_all<&Watcher::see>(kaon::sum);
  co_await runtime.quiescence();
  static_cast<void>(co_await runtime.rebalance(patches, kaon::strategies::rotate));
  const int there = co_await watchers.call_all<&Watcher::see>(kaon::sum);
  co_return on_the_way == 300 * kCount&& there == 300 * kCount;
}

}  // namespace guide
