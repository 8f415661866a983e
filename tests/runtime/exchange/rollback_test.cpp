// SPDX-License-Identifier: Apache-2.0
// What is under way when the run begins another epoch.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::rollbacks {

using Numbers = std::vector<int>;

constexpr std::size_t kMany = 5000;  // ints: more than kInlinePayloadBytes and than kBatchBytes

std::vector<Numbers> got;

Numbers numbers(int first) {
  Numbers values(kMany);
  std::iota(values.begin(), values.end(), first);
  return values;
}

void take_argument(Pe&, Numbers values) { got.push_back(std::move(values)); }
void take_payload(Pe&, Payload<int> payload) { got.push_back({payload.view().begin(), payload.view().end()}); }

template <auto F, class Argument>
void send(Network& network, Argument argument) {
  network.on(0, [&](Pe& pe) { RemoteProcedure<F, Counting::counted>::send(pe, 1, std::move(argument)); });
}
void send_payload(Network& network, int first) {
  send<&take_payload>(network, network.on(0, [&](Pe&) { return Payload<int>(numbers(first)); }));
}

/// Batches arrive, and the payloads that they announce do not.
void deliver_batches(Network& network) {
  network.run_all();
  network.wire().hold(
      [](const LoopbackNetwork::Parcel& parcel) { return parcel.kind == LoopbackNetwork::Kind::payload; });
  while (network.wire().deliver_next()) network.run_all();
  network.wire().hold({});
}

/// Both begin the next epoch, as after a rollback, whatever is under way.
void roll_back(Network& network) {
  for (PeId id = 0; id < 2; ++id) network.on(id, [](Pe& pe) { pe.exchange().begin_epoch(1); });
}

bool is_at_rest(Network& network) {
  return network.pe(1).exchange().arrivals().waiting() == 0 && !network.pe(0).exchange().is_sending();
}

TEST_CASE("after a rollback a payload from before it does not meet a new receive of the same number",
          "[runtime][rollback]") {
  got.clear();
  Options options = default_options();
  options.payload_counter_bits = 1;  // each second payload has the same number
  Network network({2, 1}, options);
  for (const int first : {0, 10}) send_payload(network, first);
  deliver_batches(network);
  CHECK(network.pe(1).exchange().arrivals().waiting() == 2);
  roll_back(network);
  for (const int first : {20, 30}) send_payload(network, first);
  network.run_until_idle();
  CHECK(got.size() == 2);
  for (const int first : {20, 30}) CHECK(std::count(got.begin(), got.end(), numbers(first)) == 1);
  CHECK(is_at_rest(network));
}

TEST_CASE("a large argument of which a rollback left the receive is dropped", "[runtime][rollback]") {
  got.clear();
  Network network({2, 1});
  send<&take_argument>(network, numbers(1));
  deliver_batches(network);
  CHECK(network.pe(1).exchange().arrivals().waiting() == 1);
  roll_back(network);
  network.run_until_idle();
  CHECK(got.empty());
  CHECK(is_at_rest(network));
}

}  // namespace kaon::testing::rollbacks
