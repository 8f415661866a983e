// SPDX-License-Identifier: Apache-2.0
// Large vectors and strings as arguments: out of the memory of the one and into that of the other.
#include "kaon/runtime/archive/bulk.hpp"

#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::bulk {

using Numbers = std::vector<std::uint32_t>;
using Rows = std::vector<Numbers>;
struct Named {
  std::string name;
  Numbers numbers;
};

struct Received {
  int before = 0;
  Numbers first;
  std::string text;
  Numbers payload;
  Rows rows;
  Named named;
  Numbers last;
};
std::vector<Received> received;
const void* memory_sent = nullptr;  // of the first vector

Numbers numbers(std::uint32_t first, std::size_t count) {
  Numbers values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

void take_all(Pe&, int before, Numbers first, std::string text, Payload<std::uint32_t> payload, Rows rows, Named named,
              Numbers last) {
  received.push_back({before,
                      std::move(first),
                      std::move(text),
                      {payload.view().begin(), payload.view().end()},
                      std::move(rows),
                      std::move(named),
                      std::move(last)});
}
void take_one(Pe&, Numbers values) { received.push_back({0, std::move(values), {}, {}, {}, {}, {}}); }

void send_one(Network& network, Numbers values) {
  memory_sent = values.data();
  network.on(0, [&](Pe& pe) { RemoteProcedure<&take_one, Counting::counted>::send(pe, 1, std::move(values)); });
  network.run(0);
}

std::size_t payloads_under_way(Network& network) {
  std::size_t count = 0;
  for (const auto& parcel : network.wire().pending()) count += parcel.kind == LoopbackNetwork::Kind::payload ? 1 : 0;
  return count;
}

using kaon::runtime::archive::kIsApart;
using kaon::runtime::archive::kLeastBulkBytes;

TEST_CASE("large arguments of every kind arrive beside small ones and payloads, in any order", "[runtime][bulk]") {
  Network network({2, 1}, default_options(), static_cast<std::uint64_t>(GENERATE(range(1, 20))));
  network.wire().copy_at_once(GENERATE(true, false));
  received.clear();
  network.on(0, [&](Pe& pe) {
    RemoteProcedure<&take_all, Counting::counted>::send(
        pe, 1, 7, numbers(1, 100'000), std::string(50'000, 'x'), Payload<std::uint32_t>(numbers(2, 5000)),
        Rows{numbers(3, 4000), numbers(4, 10)}, Named{std::string(9000, 'n'), numbers(5, 3000)}, numbers(6, 3000));
  });
  network.run_until_idle();
  REQUIRE(received.size() == 1);
  const Received& got = received.front();
  CHECK(got.before == 7);
  CHECK(got.first == numbers(1, 100'000));
  CHECK(got.text == std::string(50'000, 'x'));
  CHECK(got.payload == numbers(2, 5000));
  CHECK(got.rows == Rows{numbers(3, 4000), numbers(4, 10)});
  CHECK(got.named.name == std::string(9000, 'n'));
  CHECK(got.named.numbers == numbers(5, 3000));
  CHECK(got.last == numbers(6, 3000));
}

TEST_CASE("a large argument leaves from its own memory, which lives until it has left", "[runtime][bulk]") {
  Network network({2, 1});
  network.wire().copy_at_once(false);
  received.clear();
  send_one(network, numbers(1, 100'000));
  REQUIRE(payloads_under_way(network) == 1);
  for (const auto& parcel : network.wire().pending())
    if (parcel.kind == LoopbackNetwork::Kind::payload) CHECK(parcel.bytes.data() == memory_sent);
  network.run_until_idle();
  REQUIRE(received.size() == 1);
  CHECK(received.front().first == numbers(1, 100'000));
}

TEST_CASE("arguments that a batch holds stay in it", "[runtime][bulk]") {
  Network network({2, 1});
  const std::size_t count = GENERATE(as<std::size_t>(), 0, 1, 1900, kLeastBulkBytes / 4 - 1, kLeastBulkBytes / 4);
  received.clear();
  send_one(network, numbers(1, count));
  CHECK(payloads_under_way(network) == (count < 1950 ? 0 : 1));
  network.run_until_idle();
  REQUIRE(received.size() == 1);
  CHECK(received.front().first == numbers(1, count));
}

TEST_CASE("large arguments under way go when the run ends", "[runtime][bulk]") {
  Network network({2, 1});
  network.wire().copy_at_once(GENERATE(true, false));
  send_one(network, numbers(1, 100'000));
  const bool has_arrived = GENERATE(true, false);
  if (has_arrived) {
    network.wire().deliver(0);  // the message, not its argument
    network.run_all();
  }
}

TEST_CASE("a large argument that cannot be is refused and not allocated", "[runtime][bulk]") {
  Network network({2, 1});
  send_one(network, numbers(1, 100'000));
  std::vector<std::byte> batch;
  for (const auto& parcel : network.wire().pending())
    if (parcel.kind == LoopbackNetwork::Kind::data) batch.assign(parcel.bytes.begin(), parcel.bytes.end());
  const std::size_t count_at = sizeof(BatchHeader) + sizeof(WireHeader);
  const std::uint64_t claimed = GENERATE(std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2047},
                                         std::uint64_t{1} << 40, std::uint64_t{1} << 62, ~kIsApart);
  const std::uint64_t count = claimed | kIsApart;
  std::memcpy(batch.data() + count_at, &count, sizeof count);
  Network other({2, 1});
  other.wire().inject(1, Lane::data, batch);
  CHECK_THROWS_AS(other.run(1), CorruptMessage);
}

}  // namespace kaon::testing::bulk
