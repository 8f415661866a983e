// SPDX-License-Identifier: Apache-2.0
// How blocks come home to their pool, in every order of the atomic steps.
#include "kaon/runtime/memory/push_chain.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "kaon/runtime/base/namespaces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interleavings.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kaon::testing;

namespace {

struct Block {
  Block* next = nullptr;
};

/// Two threads that each send two chains of two blocks home, and the owner, who takes what there is while they do and
/// when they have ended.
template <std::memory_order Taking>
class HomeModel {
 public:
  HomeModel() {
    for (const Block& block : blocks_) Interleavings::watch(&block.next);
    Interleavings::watch(&ended_);
  }
  Interleavings::Run run() {
    return {{[this] { send_home(0); }, [this] { send_home(1); }, [this] { take(); }}, [this] { return fault(); }};
  }

 private:
  static constexpr std::size_t kChains = 2, kLength = 2;  // of each thread, and of a chain

  void send_home(std::size_t thread) {
    for (std::size_t i = 0; i < kChains; Interleavings::summarize(++i)) {
      const std::size_t first = (thread * kChains + i) * kLength;
      for (std::size_t number = first; number < first + kLength; ++number) Interleavings::written(number);
      blocks_[first].next = &blocks_[first + 1];
      push_chain(head_, blocks_[first], blocks_[first + 1]);
    }
    Interleavings::step([this] { return ++ended_; });
  }

  void take() {
    take_all();
    Interleavings::wait_until([this] { return ended_ == 2; });
    take_all();
  }

  void take_all() {
    for (const Block* block = head_.exchange(nullptr, Taking); block != nullptr && !is_one_there_twice_;) {
      const auto number = static_cast<std::size_t>(block - blocks_.data());
      Interleavings::read(number);
      is_one_there_twice_ = (taken_ >> number & 1) != 0;
      taken_ |= std::uintptr_t{1} << number;
      block = block->next;
    }
    Interleavings::summarize(taken_ << 1 | std::uintptr_t{is_one_there_twice_});
  }

  std::string fault() const {
    if (is_one_there_twice_) return "a block came home twice";
    return taken_ == (1U << blocks_.size()) - 1 ? "" : "a block was lost";
  }

  std::array<Block, 2 * kChains * kLength> blocks_;
  ModelAtomic<Block*> head_{nullptr};
  std::uintptr_t ended_ = 0;
  std::uintptr_t taken_ = 0;  // blocks, by bits
  bool is_one_there_twice_ = false;
};

template <std::memory_order Taking>
std::string explore(Interleavings& interleavings) {
  static std::optional<HomeModel<Taking>> model;  // one address in every run
  return interleavings.explore([] { return model.emplace().run(); });
}

}  // namespace

TEST_CASE("in every interleaving each block comes home once", "[runtime][pool]") {
  if (kaon::testing::kHasThreadSanitizer) return;  // one thread, whose fibres it would take for the same stack
  Interleavings interleavings;
  CHECK(explore<std::memory_order_acquire>(interleavings) == "");
  CHECK(interleavings.states() > 100);
  CHECK(interleavings.runs() < 1'000'000);
}

TEST_CASE("an owner that does not acquire reads links before they are written", "[runtime][pool]") {
  if (kaon::testing::kHasThreadSanitizer) return;
  Interleavings interleavings;
  CHECK(explore<std::memory_order_relaxed>(interleavings) == "a thread reads what it may not see yet");
}
