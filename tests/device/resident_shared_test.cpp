// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Resident schedulers that chares share, and how many workers one has.
#include <memory>
#include <string>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/resident_cells.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::resident_shared {

class Host : public Chare<Host> {
 public:
  /// Takes the shared one; gives its workers, which those options say that made it.
  unsigned take(unsigned workers) {
    cells_ = Cells::shared(options_of(workers));
    return cells_->options().workers;
  }
  std::uint64_t place() { return reinterpret_cast<std::uintptr_t>(cells_.get()); }
  void leave() { cells_ = nullptr; }
  Task<std::uint64_t> add(std::uint64_t amount) {
    if (cell_.object == nullptr) cell_ = co_await cells_->make(Cell{});
    co_return co_await cells_->call(cell_, Add{amount});
  }
  unsigned most_workers(unsigned threads) { return Cells::most_workers(threads); }
  /// What gangs and workers that there are not are answered with.
  Task<> make_wrongly() {
    Cells cells(options_of(5));
    for (const std::uint32_t parts : {0U, 6U, ~0U})
      CHECK_THAT_AWAITED(refused_gang(cells, parts), contains_text("no such workers"));
    CHECK_THAT_AWAITED(refused_gang(cells, 1, 5), contains_text("no such workers"));
    CHECK_THAT_AWAITED(refused_gang(cells, 5, 1), contains_text("no such workers"));
    CHECK_AWAITED(refused_gang(cells, 5, 0), "");
    const Object after = co_await cells.make_gang(5, Cell{});  // what was refused has left nothing behind
    co_await cells.call(after, Report{0});
  }

 private:
  static constexpr std::uint32_t kInTurns = ~0U;
  static Task<std::string> refused_gang(Cells& cells, std::uint32_t parts, std::uint32_t first = kInTurns) {
    std::string text;
    try {
      if (first == kInTurns)
        co_await cells.make_gang(parts, Cell{});
      else
        co_await cells.make_on(first, Cell{}, parts);
    } catch (const UsageError& error) {
      text = error.what();
    }
    co_return text;
  }
  std::shared_ptr<Cells> cells_;
  Object cell_;
};

}  // namespace kaon::testing::resident_shared

namespace kaon::testing {
namespace {

using resident_shared::Host;

DeviceSceneSettings scene_of(int pes, int devices = 1) {
  DeviceSceneSettings settings;
  settings.shape = {1, pes};
  settings.devices = devices;
  return settings;
}

/// Of PE 0.
unsigned most_workers(int pes, int devices) {
  DeviceScene scene(scene_of(pes, devices));
  return scene.network().on(0, [](Pe&) { return Cells::most_workers(64); });
}

}  // namespace

TEST_CASE("chares of a PE share a resident scheduler while one of them has it", "[device][resident]") {
  DeviceScene scene(scene_of(1));
  scene.run([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(2);
    CHECK_AWAITED(hosts[0].call<&Host::take>(2U), 2);
    CHECK_AWAITED(hosts[1].call<&Host::take>(3U), 2);
    const auto place = co_await hosts[0].call<&Host::place>();
    CHECK_AWAITED(hosts[1].call<&Host::place>(), place);
    for (const int i : {0, 1}) {
      const std::uint64_t sum = co_await hosts[i].call<&Host::add>(7U);
      CHECK(sum == 7);
    }
    co_await hosts[0].call<&Host::leave>();
    const std::uint64_t sum = co_await hosts[1].call<&Host::add>(1U);
    CHECK(sum == 8);
    CHECK_AWAITED(hosts[0].call<&Host::take>(4U), 2);
    for (const int i : {0, 1}) co_await hosts[i].call<&Host::leave>();
    CHECK_AWAITED(hosts[0].call<&Host::take>(5U), 5);
  });
}

TEST_CASE("chares of different PEs share no resident scheduler", "[device][resident]") {
  DeviceScene scene(scene_of(2));
  scene.run([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(2);
    for (const unsigned i : {0U, 1U}) CHECK_AWAITED(hosts[i].call<&Host::take>(2 + i), 2 + i);
    const auto one = co_await hosts[0].call<&Host::place>();
    const auto other = co_await hosts[1].call<&Host::place>();
    CHECK(one != other);
  });
}

TEST_CASE("PEs of one device share its workers", "[device][resident]") {
  const unsigned alone = most_workers(1, 1);
  CHECK(alone > 2);
  CHECK(most_workers(2, 1) < alone);
  CHECK(2 * (most_workers(2, 1) + 1) <= alone + 1);  // a dispatcher for each
  CHECK(most_workers(2, 2) == alone);
  CHECK(most_workers(40, 1) == 1);
}

TEST_CASE("a gang of more parts than workers is refused", "[device][resident][gang][bad input]") {
  DeviceScene scene(scene_of(1));
  scene.run([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::make_wrongly>();
  });
}

}  // namespace kaon::testing
