// SPDX-License-Identifier: Apache-2.0
// Payloads that must not meet a receive: of an earlier epoch of the run, and of somebody who is not part of it.
#include "kaon/machine_ucx/payload_tags.hpp"

#include <set>

#include "tests/machine_ucx/machines.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kaon::testing;

namespace {

constexpr std::size_t kSizes[] = {1, 8000, 64 << 10, 4 << 20};  // on their way whole, and announced

Secret secret_of(unsigned char fill) {
  Secret secret;
  secret.fill(std::byte{fill});
  return secret;
}

// Every test also holds when what was sent has not come yet.
void progress_a_while(Machines& machines) {
  for (int i = 0; i < 100; ++i) {
    for (auto& port : machines.ports) port->progress();
  }
}

}  // namespace

TEST_CASE("a payload from before a rollback does not meet a receive from after it", "[machine_ucx][payload_tags]") {
  const auto bytes = GENERATE(from_range(std::begin(kSizes), std::end(kSizes)));
  const auto has_come_before = GENERATE(true, false);
  Machines machines(HostCarrier::tagged);
  auto old_data = pattern(bytes, 1), data = pattern(bytes, 2);
  std::vector<std::byte> landing(bytes);
  Done old_sent, sent, received;
  const bool is_old_free = machines.port(0).send_payload(1, 5, memory(old_data), old_sent);
  if (has_come_before) progress_a_while(machines);
  for (auto& port : machines.ports) port->begin_epoch(1);
  const bool is_here = machines.port(1).receive_payload(0, 5, memory(landing), received);
  progress_a_while(machines);
  CHECK_FALSE(is_here);
  CHECK(received.times == 0);
  const bool is_free = machines.port(0).send_payload(1, 5, memory(data), sent);
  machines.until([&] { return received.times == 1 && (is_free || sent.times == 1); });
  CHECK(landing == data);
  machines.until([&] { return is_old_free || old_sent.times == 1; });
  CHECK_FALSE(machines.port(0).is_sending());  // so that the run ends
}

TEST_CASE("a receive from before a rollback ends", "[machine_ucx][payload_tags]") {
  const auto bytes = GENERATE(from_range(std::begin(kSizes), std::end(kSizes)));
  const auto is_matched = GENERATE(true, false);
  Machines machines(HostCarrier::tagged);
  auto data = pattern(bytes);
  std::vector<std::byte> landing(bytes);
  Done sent, received;
  const bool is_here = machines.port(1).receive_payload(0, 5, memory(landing), received);
  const bool is_free = is_matched ? machines.port(0).send_payload(1, 5, memory(data), sent) : true;
  for (auto& port : machines.ports) port->begin_epoch(1);
  CHECK(received.times == 0);  // in progress() alone
  machines.until([&] { return (is_here || received.times == 1) && (is_free || sent.times == 1); });
  progress_a_while(machines);
  CHECK(received.times == 1);
  CHECK_FALSE(machines.port(0).is_sending());
}

TEST_CASE("a payload of an epoch that its receiver has yet to begin waits for it", "[machine_ucx][payload_tags]") {
  Machines machines(HostCarrier::tagged);
  auto data = pattern(8000);
  std::vector<std::byte> landing(8000);
  Done sent, received;
  machines.port(0).begin_epoch(1);
  const bool is_free = machines.port(0).send_payload(1, 5, memory(data), sent);
  progress_a_while(machines);
  machines.port(1).begin_epoch(1);
  const bool is_here = machines.port(1).receive_payload(0, 5, memory(landing), received);
  machines.until([&] { return (is_here || received.times == 1) && (is_free || sent.times == 1); });
  CHECK(landing == data);
}

TEST_CASE("the number of an epoch may be used again", "[machine_ucx][payload_tags]") {
  Machines machines(HostCarrier::tagged);
  for (std::uint8_t epoch = 0; epoch < 40; ++epoch) {
    for (auto& port : machines.ports) port->begin_epoch(epoch);
    auto data = pattern(8000, epoch);
    std::vector<std::byte> landing(8000);
    Done sent, received;
    const bool is_free = machines.port(0).send_payload(1, 5, memory(data), sent);
    const bool is_here = machines.port(1).receive_payload(0, 5, memory(landing), received);
    machines.until([&] { return (is_here || received.times == 1) && (is_free || sent.times == 1); });
    CHECK(landing == data);
  }
}

TEST_CASE("a payload of a stranger who knows all but the secret meets no receive", "[machine_ucx][payload_tags]") {
  const auto bytes = GENERATE(from_range(std::begin(kSizes), std::end(kSizes)));
  const auto has_come_before = GENERATE(true, false);
  Machines machines(HostCarrier::tagged, 2, secret_of(1));
  Machines strangers(HostCarrier::tagged, 2, secret_of(2));
  strangers.exchange.blobs = machines.exchange.blobs;  // so that their PE 0 reaches ours
  auto lie = pattern(bytes, 1), data = pattern(bytes, 2);
  std::vector<std::byte> landing(bytes);
  Done lied, sent, received;
  bool is_here = false;
  const auto receive = [&] { is_here = machines.port(1).receive_payload(0, 5, memory(landing), received); };
  if (!has_come_before) receive();
  {
    const IgnoreLeaks of_ucx;  // an unfinished rendezvous loses its memory handle when the endpoint is closed
    strangers.port(0).send_payload(1, 5, memory(lie), lied);
  }
  for (int i = 0; i < 100; ++i) {
    progress_a_while(strangers);
    progress_a_while(machines);
  }
  if (has_come_before) receive();
  CHECK_FALSE(is_here);
  CHECK(received.times == 0);
  const bool is_free = machines.port(0).send_payload(1, 5, memory(data), sent);
  machines.until([&] { return received.times == 1 && (is_free || sent.times == 1); });
  CHECK(landing == data);
  CHECK_FALSE(machines.port(0).is_sending());
}

TEST_CASE("tags of one secret are all different, and those of another are not among them",
          "[machine_ucx][payload_tags]") {
  std::set<ucp_tag_t> tags;
  for (const unsigned char fill : {1, 2}) {
    const PayloadTags of_run(secret_of(fill));
    for (PeId source = 0; source < 16; ++source)
      for (std::uint32_t counter = 0; counter < 16; ++counter) tags.insert(of_run.of(source, counter));
  }
  CHECK(tags.size() == 2 * 16 * 16);
}
