// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <numeric>
#include <vector>

#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "tests/ampi_shim/devices/rank_devices.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi {
namespace {

constexpr std::uint64_t kContext = 4;
using First = testing::DeviceScene::First;

SendTo to_rank(const Rank& rank, int to, int tag) { return {kContext, to, rank.number(), tag}; }
MatchKey from_rank(int from, int tag) { return {kContext, from, tag}; }
Outgoing sent(const int* data, std::size_t count) {
  return {data, static_cast<MPI_Count>(count * sizeof(int)), nullptr};
}
Incoming received(int* data, std::size_t count) { return {data, static_cast<MPI_Count>(count * sizeof(int)), nullptr}; }

std::vector<int> numbers(std::size_t count, int first) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

const std::vector<testing::Network::Shape> kShapes{{1, 1}, {1, 2}, {2, 1}, {2, 2}};

}  // namespace

TEST_CASE("messages between devices go around a ring, in whatever order their parts come", "[ampi][devices]") {
  testing::DeviceSceneSettings settings;
  settings.shape = GENERATE(from_range(kShapes));
  settings.seed = GENERATE(1u, 2u, 3u);
  settings.devices = GENERATE(1, 2);
  settings.stages_all = GENERATE(false, true);
  const auto count = GENERATE(1u, 600u, 100000u);
  testing::DeviceScene scene(settings);
  scene.deliver_first(GENERATE(First::either, First::headers, First::payloads));
  int ended = 0;
  const int code = run_ranks_on_devices(5, scene, [&](Rank& rank) {
    const int next = (rank.number() + 1) % 5, last = (rank.number() + 4) % 5;
    const DeviceVector<int> out(rank, numbers(count, rank.number()));
    DeviceVector<int> in(rank, count);
    Request& receive = start_receive(rank, from_rank(last, 7), received(in.data(), count));
    Request& send = start_send(rank, to_rank(rank, next, 7), sent(out.data(), count));
    Request* const both[]{&receive, &send};
    wait_for_all(rank, both);
    ended += receive.error() == MPI_SUCCESS && in.values() == numbers(count, last) ? 1 : 0;
    receive.was_told();
    send.was_told();
  });
  CHECK(code == 0);
  CHECK(ended == 5);
}

TEST_CASE("between processes device memory is lent and landed in, with no copy beside it", "[ampi][devices]") {
  testing::DeviceSceneSettings settings;
  testing::DeviceScene scene(settings);
  constexpr std::size_t kCount = 1000;
  run_ranks_on_devices(2, scene, [&](Rank& rank) {
    DeviceVector<int> memory(rank, numbers(kCount, rank.number()));
    if (rank.number() == 0)
      send(rank, to_rank(rank, 1, 1), sent(memory.data(), kCount));
    else
      receive(rank, from_rank(0, 1), received(memory.data(), kCount));
  });
  const TransferReport& report = scene.network().pe(0).exchange().transfers();
  const TransferReport::Count& direct = report[Route::direct];
  CHECK(direct.payloads == 1);
  CHECK(direct.bytes == kCount * sizeof(int));
  CHECK(scene.network().pe(1).exchange().transfers()[Route::device_copy].payloads == 0);
}

TEST_CASE("messages from a device and from the host keep their order", "[ampi][devices]") {
  testing::DeviceSceneSettings settings;
  settings.shape = GENERATE(from_range(kShapes));
  settings.seed = GENERATE(1u, 2u, 3u, 4u);
  testing::DeviceScene scene(settings);
  std::vector<int> order;
  run_ranks_on_devices(2, scene, [&](Rank& rank) {
    constexpr int kMessages = 40;
    constexpr std::size_t kMost = 10000;
    if (rank.number() == 0) {
      std::vector<std::unique_ptr<DeviceVector<int>>> on_device;
      std::vector<std::vector<int>> on_host;
      std::vector<Request*> requests;
      for (int i = 0; i < kMessages; ++i) {
        on_host.push_back(numbers(i % 3 == 0 ? kMost : 10, i));
        on_device.push_back(std::make_unique<DeviceVector<int>>(rank, on_host.back()));
      }
      for (int i = 0; i < kMessages; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const int* const data = i % 2 == 0 ? on_device[at]->data() : on_host[at].data();
        requests.push_back(&start_send(rank, to_rank(rank, 1, i % 2), sent(data, on_host[at].size())));
      }
      wait_for_all(rank, requests);
      for (Request* request : requests) request->was_told();
    } else {
      DeviceVector<int> memory(rank, kMost);
      for (int i = 0; i < kMessages; ++i) {
        receive(rank, from_rank(MPI_ANY_SOURCE, MPI_ANY_TAG), received(memory.data(), kMost));
        order.push_back(memory.values().front());
      }
    }
  });
  CHECK(order == numbers(40, 0));
}

}  // namespace kaon::ampi
