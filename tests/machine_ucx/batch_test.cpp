// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "kaon/runtime/base/error.hpp"
#include "tests/machine_ucx/machines.hpp"

using namespace kaon::testing;

TEST_CASE("a batch arrives as it was sent, on its lane", "[machine_ucx][batch]") {
  const auto carrier = GENERATE(HostCarrier::tagged, HostCarrier::active);
  const auto lane = GENERATE(Lane::data, Lane::control);
  Machines machines(carrier);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{1000}, kBatchBytes}) {
    const auto sent = pattern(bytes);
    machines.send(0, 1, lane, sent);
    auto& arrived = machines.client(1).batches;
    machines.until([&] { return !arrived.empty(); });
    CHECK(arrived.size() == 1);
    CHECK(arrived[0].lane == lane);
    CHECK(arrived[0].bytes == sent);
    arrived.clear();
  }
}

TEST_CASE("batches beyond the posted receives wait and all arrive", "[machine_ucx][batch]") {
  const auto carrier = GENERATE(HostCarrier::tagged, HostCarrier::active);
  Machines machines(carrier);
  constexpr std::size_t kBatches = 1000;  // more than receives, and than the slots of UCX's shared memory
  std::vector<std::vector<std::byte>> sent;
  std::vector<std::unique_ptr<Done>> pending;
  for (std::size_t i = 0; i < kBatches; ++i) {
    sent.push_back(pattern(i % 3 == 0 ? kBatchBytes : i, static_cast<unsigned>(i)));
    auto done = std::make_unique<Done>();
    if (!machines.port(0).send_batch(1, i % 7 == 0 ? Lane::control : Lane::data, sent[i], *done)) {
      pending.push_back(std::move(done));
    }
  }
  auto& arrived = machines.client(1).batches;
  machines.until([&] { return arrived.size() == kBatches; });
  machines.until([&] { return !machines.port(0).is_sending(); });
  for (const auto& done : pending) CHECK(done->times == 1);
  const auto is_control = [](const Recorder::Batch& batch) { return batch.lane == Lane::control; };
  CHECK(std::count_if(arrived.begin(), arrived.end(), is_control) == (kBatches + 6) / 7);
  std::vector<std::vector<std::byte>> bytes;
  for (auto& batch : arrived) bytes.push_back(std::move(batch.bytes));
  CHECK(std::is_permutation(bytes.begin(), bytes.end(), sent.begin(), sent.end()));  // no order is promised
}

TEST_CASE("a client may send from where a batch arrives", "[machine_ucx][batch]") {
  const auto carrier = GENERATE(HostCarrier::tagged, HostCarrier::active);
  Machines machines(carrier, 3);
  const auto question = pattern(200), answer = pattern(kBatchBytes);
  Done done;
  machines.client(1).on_batch = [&] { machines.port(1).send_batch(2, Lane::data, answer, done); };
  machines.send(0, 1, Lane::data, question);
  machines.until([&] { return !machines.client(2).batches.empty(); });
  CHECK(machines.client(2).batches[0].bytes == answer);
}

TEST_CASE("processes with different carriers understand each other", "[machine_ucx][batch]") {
  Machines machines(std::vector{HostCarrier::tagged, HostCarrier::active});
  const auto first = pattern(300, 1), second = pattern(300, 2);
  machines.send(0, 1, Lane::data, first);
  machines.send(1, 0, Lane::control, second);
  machines.until([&] { return !machines.client(0).batches.empty() && !machines.client(1).batches.empty(); });
  CHECK(machines.client(1).batches[0].bytes == first);
  CHECK(machines.client(0).batches[0].bytes == second);
}

TEST_CASE("an exception of the client comes out of progress, and the port goes on", "[machine_ucx][batch]") {
  const auto carrier = GENERATE(HostCarrier::tagged, HostCarrier::active);
  Machines machines(carrier);
  machines.client(1).on_batch = [] { throw CorruptMessage("made by the test"); };
  const auto provoke = [&] {
    machines.send(0, 1, Lane::data, pattern(10));
    machines.until([] { return false; });
  };
  CHECK_THROWS_WITH(provoke(), "made by the test");
  machines.client(1).on_batch = [] {};
  machines.send(0, 1, Lane::data, pattern(20));
  machines.until([&] { return machines.client(1).batches.size() == 2; });
}

TEST_CASE("what UCX would not check is refused", "[machine_ucx][batch]") {
  Machines machines(HostCarrier::tagged);
  Done done;
  const std::vector<std::byte> too_long(kBatchBytes + 1);
  CHECK_THROWS_WITH(machines.port(0).send_batch(1, Lane::data, too_long, done), contains_text("payload"));
  CHECK_THROWS_WITH(machines.port(0).send_batch(2, Lane::data, {}, done), contains_text("no PE 2"));
  const std::span<const std::byte> nothing(static_cast<const std::byte*>(nullptr), 1);
  CHECK_THROWS_AS(machines.port(0).send_batch(1, Lane::data, nothing, done), UsageError);
  CHECK_THROWS_AS(machines.port(0).send_payload(1, 0, {nullptr, 1}, done), UsageError);
  CHECK_THROWS_AS(machines.port(0).receive_payload(1, 0, {nullptr, 1}, done), UsageError);
  CHECK_FALSE(machines.port(0).is_sending());
}

namespace {

Contact contact_of(const Machines& machines, std::size_t process) {
  return decode_contact(decode_process_contact(machines.exchange.blobs[process]).ports);
}
void give_contact(Machines& machines, std::size_t process, const Contact& contact) {
  machines.exchange.blobs[process] = encode_process_contact({encode_contact(contact), {}});
}

}  // namespace

TEST_CASE("a peer is asked for once, at the first send to it", "[machine_ucx][contact_book]") {
  Machines machines(HostCarrier::tagged, 3);
  CHECK(machines.exchange.asked == 0);
  for (int i = 0; i < 3; ++i) machines.send(0, 1, Lane::data, pattern(8));
  CHECK(machines.exchange.asked == 1);
  machines.send(0, 2, Lane::data, pattern(8));
  CHECK(machines.exchange.asked == 2);
}

TEST_CASE("processes that use devices of different vendors are refused", "[machine_ucx][contact_book]") {
  Machines machines(HostCarrier::tagged);
  Contact contact = contact_of(machines, 1);
  contact.vendor = DeviceVendor::nvidia;
  give_contact(machines, 1, contact);
  Done done;
  CHECK_THROWS_WITH(machines.port(0).send_batch(1, Lane::data, {}, done),
                    contains_text("process 1 uses devices of NVIDIA, this one of none") && contains_text("--device"));
}

TEST_CASE("a contact with another number of PEs is refused", "[machine_ucx][contact_book]") {
  Machines machines(HostCarrier::tagged);
  Contact contact = contact_of(machines, 1);
  contact.addresses.push_back(contact.addresses[0]);
  give_contact(machines, 1, contact);
  Done done;
  CHECK_THROWS_WITH(machines.port(0).send_batch(1, Lane::data, {}, done), contains_text("--pes"));
}
