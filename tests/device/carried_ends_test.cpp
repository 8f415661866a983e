// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// What is to be carried when a run ends.
#include <array>
#include <cstddef>
#include <optional>

#include "tests/device/device_scene.hpp"
#include "tests/device/resident_cells.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace carried_ends {

// Memory of the host, which the emulation reaches, for what is looked at when the run has ended.
std::array<std::byte, 50> sent, carried;

class Host : public Chare<Host> {
 public:
  /// More to carry than its ring has room for, when the run is about to end.
  Task<> carry_and_go() {
    cells_.emplace(options_of(1, 1));
    (void)co_await cells_->make(Cell{});
    gpu::Carrier& carrier = *gpu::these_payloads().device().carrier();
    for (std::size_t i = 0; i < carried.size(); ++i) {
      carrier.carry({sent.data() + i, carried.data() + i, 1, nullptr});
      carrier.release();
    }
  }

 private:
  std::optional<Cells> cells_;
};

}  // namespace carried_ends

TEST_CASE("what waits for room to be carried when the run ends is carried", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{21}));
  carried_ends::sent.fill(std::byte{1});
  carried_ends::carried.fill(std::byte{0});
  {
    DeviceScene scene(settings);
    scene.run(+[](Runtime& runtime) -> Task<> {
      const auto hosts = co_await runtime.create<carried_ends::Host>(1);
      co_await hosts[0].call<&carried_ends::Host::carry_and_go>();
    });
  }
  CHECK(carried_ends::carried == carried_ends::sent);
}

}  // namespace kaon::testing
