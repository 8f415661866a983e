// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/reductions.hpp"

#include <memory>
#include <utility>

#include "tests/support/catch.hpp"

using namespace kaon::chares;

namespace {

/// A reduction of which only is seen what becomes of it.
class Seen final : public ReductionState {
 public:
  explicit Seen(bool is_queued = false) : is_queued_(is_queued) { ++alive; }
  ~Seen() override { --alive; }
  const void* kind() const override { return nullptr; }
  bool is_queued() const override { return is_queued_; }
  void fail(const std::exception_ptr&) override { ++failed; }
  void element_left() override { ++left; }
  std::uint64_t contributed() const override { return 0; }
  void close() override {}

  static inline int alive = 0, failed = 0, left = 0;

 private:
  bool is_queued_;
};

}  // namespace

TEST_CASE("a reduction is found until it is removed, and those that stay go with the others", "[chares][reductions]") {
  {
    Reductions reductions;
    CHECK(reductions.find(5) == nullptr);
    for (const std::uint32_t number : {5u, 6u, 7u}) reductions.add(number, std::make_unique<Seen>());
    const ReductionState* const found = reductions.find(6);
    CHECK(reductions.remove(6).get() == found);
    CHECK(Seen::alive == 2);
    CHECK(reductions.find(6) == nullptr);
    CHECK(reductions.remove(6) == nullptr);
    CHECK(reductions.find(5) != nullptr);
    CHECK_FALSE(reductions.empty());
  }
  CHECK(Seen::alive == 0);
}

TEST_CASE("one reduction that is queued keeps all, wherever it stands among the others", "[chares][reductions]") {
  constexpr std::uint32_t kCount = 20;
  for (std::uint32_t queued = 0; queued < kCount; ++queued) {
    Reductions reductions;
    for (std::uint32_t number = 0; number < kCount; ++number)
      reductions.add(number, std::make_unique<Seen>(number == queued));
    CHECK(reductions.has_queued());
    reductions.remove(queued);
    CHECK_FALSE(reductions.has_queued());
  }
}

TEST_CASE("errors and leaving elements are told to each reduction", "[chares][reductions]") {
  Seen::failed = Seen::left = 0;
  Reductions reductions;
  for (const std::uint32_t number : {1u, 2u, 3u}) reductions.add(number, std::make_unique<Seen>());
  reductions.fail(nullptr);
  CHECK(Seen::failed == 3);
  CHECK(Seen::left == 0);
  reductions.element_left();
  CHECK(Seen::left == 3);
}

TEST_CASE("numbers of reductions begin anew and stay in order", "[chares][reductions]") {
  constexpr std::uint32_t kLast = ElementAccess::kReductionMask;
  CHECK(Reductions::is_before(kLast, 0));
  CHECK_FALSE(Reductions::is_before(0, kLast));
  CHECK_FALSE(Reductions::is_before(4, 4));
  Reductions reductions;
  reductions.element_arrived(3);
  reductions.element_arrived(1);  // it is behind: what the first may have contributed to stays so
  CHECK(reductions.may_have_contributed_elsewhere(2));
  CHECK_FALSE(reductions.may_have_contributed_elsewhere(3));
}
