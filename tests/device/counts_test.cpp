// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// What a resident scheduler counts, which goes around 32 bits.
#include <cstdint>
#include <memory>
#include <optional>

#include "tests/device/device_scene.hpp"
#include "tests/device/resident_cells.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::counts {

class OldCells : public Cells {
 public:
  OldCells() : OldCells(gpu::ResidentScheduler::make(options_of(3), program())) {}
  /// As if its device had made and finished so many tasks; when its memory has been cleared, before it is launched.
  void grow_old(std::uint32_t tasks) const {
    const gpu::ResidentView& view = scheduler_->view();
    view.shared->activity = gpu::tally::made(tasks) + gpu::tally::finished(tasks);
    view.host->activity = view.shared->activity;
  }

 private:
  explicit OldCells(const std::shared_ptr<gpu::ResidentScheduler>& scheduler)
      : Cells(scheduler), scheduler_(scheduler) {}

  std::shared_ptr<gpu::ResidentScheduler> scheduler_;
};

class Veteran : public Chare<Veteran> {
 public:
  Task<> begin(std::uint32_t tasks) {
    cells_.emplace();
    one_ = co_await cells_->make(Cell{});
    two_ = co_await cells_->make(Cell{});
    cells_->grow_old(tasks);
    co_await cells_->call(one_, Join{two_, {}});
    co_await cells_->call(two_, Join{one_, {}});
  }
  void grow(std::uint32_t depth) { cells_->send(one_, Grow{depth}); }
  Task<std::uint64_t> total() {
    const std::uint64_t first = co_await cells_->call(one_, Add{0});
    co_return first + co_await cells_->call(two_, Add{0});
  }

 private:
  std::optional<OldCells> cells_;
  Object one_, two_;
};

}  // namespace kaon::testing::counts

namespace kaon::testing {

using counts::Veteran;

TEST_CASE("quiescence comes however many tasks a resident scheduler has run", "[device][resident]") {
  for (const std::uint32_t before : {0U, 1U, 60U, 0x80000000U, 0xffffffffU}) {
    CAPTURE(before);
    DeviceScene scene(DeviceSceneSettings{});
    scene.run([before](Runtime& runtime) -> Task<> {
      const auto veterans = co_await runtime.create<Veteran>(1);
      co_await veterans[0].call<&Veteran::begin>(0U - before);
      for (std::uint64_t round = 1; round <= 3; ++round) {
        veterans[0].send<&Veteran::grow>(5U);
        co_await runtime.quiescence();
        CHECK_AWAITED(veterans[0].call<&Veteran::total>(), 63 * round);
      }
    });
  }
}

TEST_CASE("what was sent to peers and taken from them is told by one word, around 32 bits", "[device][resident]") {
  using namespace gpu;
  for (const std::uint32_t taken : {0U, 7U, 0xfffffffeU, 0xffffffffU})
    for (const std::uint32_t sent : {0U, 9U, 0xffffffffU}) {
      const std::uint64_t before = traffic::sent(sent) + traffic::taken(taken);
      const std::uint64_t more = before + traffic::sent(2) + traffic::taken(3) - before;
      CHECK(traffic::sent_in(more) == 2);
      CHECK(traffic::taken_in(more) == 3);
    }
}

}  // namespace kaon::testing
