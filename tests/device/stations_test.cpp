// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Entries that send to objects of resident schedulers of other PEs.
#include <string>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/station_node.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_choice.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing {
namespace stations {

Task<> visit_one_by_one(Runtime& runtime) {
  const bool is_right = co_await visit_stations(runtime, 1, 256);
  CHECK(is_right);
}
Task<> visit_gangs_with_small_rings(Runtime& runtime) {
  const bool is_right = co_await visit_stations(runtime, 2, 4);
  CHECK(is_right);
}

/// Who has a scheduler goes; stations stay for those who still send to them.
Task<> leave_early(Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<StationNode>();
  (void)co_await nodes.call_all<&StationNode::begin>(sum, 1U, 16U);
  (void)co_await nodes.call_all<&StationNode::connect>(sum);
  if (runtime.pes() > 1) nodes[1].send<&StationNode::leave>();
  nodes[0].send<&StationNode::send_numbers>(300U, 50U);
  co_await runtime.quiescence();
}

/// What must not be connected.
class Clumsy : public Chare<Clumsy> {
 public:
  Task<> misuse() {
    gpu::Resident<StationEntries> one({.workers = 1, .threads = 64}), two({.workers = 1, .threads = 64});
    gpu::ResidentLink link = co_await one.make_link(), other = co_await two.make_link();
    gpu::ResidentOffer foreign = other.offer();
    foreign.entries += 1;
    const std::string other_entries = co_await refusal(one, link, foreign);
    CHECK(other_entries.find("same DeviceEntries") != std::string::npos);
    gpu::ResidentOffer larger = other.offer();
    larger.workers += 1;
    const std::string other_workers = co_await refusal(one, link, larger);
    CHECK(other_workers.find("here 1, there 2") != std::string::npos);
    gpu::ResidentLink second = co_await one.make_link();
    const std::string first_time = co_await refusal(one, second, other.offer());
    CHECK(first_time.empty());
    const std::string second_time = co_await refusal(one, second, other.offer());
    CHECK(second_time.find("is connected") != std::string::npos);
    const std::string none = co_await refusal(one, link, gpu::ResidentOffer());
    CHECK(none.find("same DeviceEntries") != std::string::npos);
    const auto station = co_await one.make(Station{});
    CHECK(thrown<UsageError>([&] { (void)peer_.object(station); }).find("peer's resident scheduler") !=
          std::string::npos);
    const auto theirs = co_await two.make(Station{});
    CHECK(thrown<UsageError>([&] { one.send(peer_.object(theirs), Visit{0}); }).find("another resident scheduler") !=
          std::string::npos);
  }

 private:
  Task<std::string> refusal(gpu::Resident<StationEntries>& resident, gpu::ResidentLink& link,
                            const gpu::ResidentOffer& offer) {
    std::string text;
    try {
      peer_ = co_await resident.connect(link, offer);
    } catch (const UsageError& error) {
      text = error.what();
    }
    co_return text;
  }
  gpu::ResidentPeer peer_;
};

Task<> misuse(Runtime& runtime) {
  const auto clumsy = co_await runtime.create<Clumsy>(1);
  co_await clumsy[0].call<&Clumsy::misuse>();
}

void run_stations(const std::string& processes, const std::string& pes) {
  const ProgramRun run = run_program({program("kaonrun"), "-n", processes, test_program("device_stations_program"),
                                      "--pes", pes, "--device", device_choice()});
  CAPTURE(processes, pes, run.text);
  CHECK(run.code == 0);
}

}  // namespace stations

TEST_CASE("entries send to those of other PEs' devices", "[device][resident][peers]") {
  run_on_devices(stations::visit_one_by_one);
}

TEST_CASE("entries send to gangs of other PEs' devices, whose rings are full", "[device][resident][peers]") {
  run_on_devices(stations::visit_gangs_with_small_rings);
}

TEST_CASE("a connected scheduler goes on when nobody has it", "[device][resident][peers]") {
  run_on_devices(stations::leave_early);
}

TEST_CASE("schedulers that do not fit are not connected", "[device][resident][peers][bad input]") {
  run_on_devices(stations::misuse);
}

TEST_CASE("entries send to those of other processes", "[device][resident][peers][outside]") {
  stations::run_stations("2", "1");
  stations::run_stations("1", "2");
  stations::run_stations("3", "2");
}

}  // namespace kaon::testing
