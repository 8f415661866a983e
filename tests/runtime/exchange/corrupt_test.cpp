// SPDX-License-Identifier: Apache-2.0
// Bytes from another process that make no sense: an error that says so, and nothing else.
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/messages/wire.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::corrupt {

int taken = 0;

void take_many(Pe&, std::string, std::vector<std::vector<int>>, std::map<int, std::string>, std::optional<double>,
               std::variant<int, std::string>) {
  ++taken;
}
void take_payloads(Pe&, std::vector<Payload<double>>) { ++taken; }
void take_number(Pe&, int) { ++taken; }

using Bytes = std::vector<std::byte>;

// What PE 0 of process 0 sends to PE 1, which is another process.
Bytes batch_of(const std::function<void(Pe&)>& send) {
  Network network({2, 1});
  network.on(0, send);
  network.run(0);
  for (const auto& parcel : network.wire().pending())
    if (parcel.kind == LoopbackNetwork::Kind::data) return {parcel.bytes.begin(), parcel.bytes.end()};
  throw std::logic_error("nothing was sent");
}

Bytes batch_of_many() {
  return batch_of([](Pe& pe) {
    RemoteProcedure<&take_many, Counting::counted>::send(pe, 1, "text", std::vector<std::vector<int>>{{1, 2}, {3}},
                                                         std::map<int, std::string>{{1, "one"}}, 2.5,
                                                         std::variant<int, std::string>("other"));
    RemoteProcedure<&take_number, Counting::counted>::send(pe, 1, 7);
  });
}

Bytes batch_of_payloads() {
  return batch_of([](Pe& pe) {
    std::vector<Payload<double>> payloads;
    for (const std::size_t count : {2, 1000}) payloads.push_back(Payload<double>(std::vector<double>(count, 1.5)));
    RemoteProcedure<&take_payloads, Counting::counted>::send(pe, 1, std::move(payloads));
  });
}

Bytes batch_of_large() {
  return batch_of([](Pe& pe) {
    const std::vector<std::vector<int>> rows{std::vector<int>(5000, 1)};  // not a run of plain values by itself
    RemoteProcedure<&take_many, Counting::counted>::send(pe, 1, std::string(20'000, 'x'), rows,
                                                         std::map<int, std::string>(), std::nullopt, 1);
  });
}

// What comes of a batch: an error's text, or "" when it was taken for good. Its entries are run if `most` says so.
std::string outcome(const Bytes& batch, Lane lane = Lane::data, int most = 1000) {
  Network network({2, 1});
  taken = 0;
  if (most == 0) network.pe(1).exchange().arrivals().payload_limit = 1 << 20;  // there are many to come
  network.wire().inject(1, lane, batch);
  try {
    for (int i = 0; i < 10; ++i) network.run(1, most);
  } catch (const CorruptMessage& error) {
    return error.what();
  } catch (const OutOfMemory& error) {
    return error.what();
  }
  return "";
}

template <class T>
Bytes with(Bytes batch, std::size_t at, T value) {
  REQUIRE(at + sizeof value <= batch.size());
  std::memcpy(batch.data() + at, &value, sizeof value);
  return batch;
}

constexpr std::size_t kHeader = sizeof(BatchHeader);
constexpr std::size_t kArguments = kHeader + sizeof(WireHeader);

TEST_CASE("a batch cut off anywhere is an error or has fewer messages", "[runtime][corrupt]") {
  for (const Bytes& batch : {batch_of_many(), batch_of_payloads(), batch_of_large()})
    for (std::size_t bytes = 0; bytes < batch.size(); ++bytes) {
      const std::string text = outcome({batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(bytes)});
      if (text.empty()) CHECK(taken < 2);
    }
}

TEST_CASE("no flipped bit of a batch does harm", "[runtime][corrupt]") {
  int errors = 0;
  for (const Bytes& batch : {batch_of_many(), batch_of_payloads(), batch_of_large()})
    for (std::size_t bit = 0; bit < 8 * batch.size(); ++bit) {
      Bytes flipped = batch;
      flipped[bit / 8] ^= std::byte{1} << (bit % 8);
      // not run: with another number the message may be for an entry of other tests
      errors += outcome(flipped, Lane::data, 0).empty() ? 0 : 1;
    }
  CHECK(errors > 100);
}

TEST_CASE("sizes that cannot be are refused and not allocated", "[runtime][corrupt]") {
  const Bytes large = batch_of_large();
  const std::size_t body_bytes = large.size() - sizeof(PayloadNumbers);
  for (const std::uint64_t bytes : {std::uint64_t{1} << 60, ~std::uint64_t{0}, std::uint64_t{1} << 48})
    CHECK(outcome(with(large, body_bytes, bytes)).find("more than the memory") != std::string::npos);
  // the arguments of batch_of_payloads: a count, then size and place of the first payload, its bytes, the second's
  const Bytes payloads = batch_of_payloads();
  const std::size_t second = kArguments + 8 + 9 + 16;
  CHECK(outcome(with(payloads, second, std::uint64_t{1} << 60)).find("more than the memory") != std::string::npos);
  CHECK(outcome(with(payloads, second, std::uint64_t{4001})).find("cannot hold elements") != std::string::npos);
}

TEST_CASE("a batch says truthfully where it comes from", "[runtime][corrupt]") {
  const Bytes batch = batch_of_many();
  for (const PeId source : {1u, 2u, ~0u})
    CHECK(outcome(with(batch, offsetof(BatchHeader, source), source)).find("claims to come") != std::string::npos);
  CHECK(outcome(batch).empty());
  CHECK(taken == 2);
}

TEST_CASE("a batch without the run's secret is refused", "[runtime][corrupt]") {
  const std::string said = outcome(with(batch_of_many(), offsetof(BatchHeader, secret), std::uint64_t{1}));
  CHECK(said.find("not one of this run") != std::string::npos);
}

TEST_CASE("a batch from before a rollback is dropped", "[runtime][corrupt]") {
  CHECK(outcome(with(batch_of_many(), offsetof(BatchHeader, epoch), std::uint8_t{1})).empty());
  CHECK(taken == 0);
}

TEST_CASE("a message names an entry that there is, on its lane, at a place that fits", "[runtime][corrupt]") {
  const Bytes batch = batch_of_many();
  CHECK(outcome(with(batch, kHeader + 8, ~std::uint32_t{0})).find("names an entry") != std::string::npos);
  CHECK(outcome(with(batch, kHeader + 12, CollectionId{5})).find("no proper destination") != std::string::npos);
  CHECK(outcome(batch, Lane::control).find("says that it used 1 credits") != std::string::npos);
  const Bytes as_control = with(batch, offsetof(BatchHeader, cost), std::uint8_t{0});
  CHECK(outcome(as_control, Lane::control).find("another lane") != std::string::npos);
  for (const std::uint8_t cost : {0, 65, 255})
    CHECK(outcome(with(batch, offsetof(BatchHeader, cost), cost)).find("credits") != std::string::npos);
}

TEST_CASE("a message from a PE that does not exist is refused", "[runtime][corrupt]") {
  Bytes batch(kHeader);
  WireMessage message{};
  message.header.parts = kHasOrigin;
  message.origin = {2, 0};
  const Bytes valid = batch_of_many();
  std::memcpy(batch.data(), valid.data(), kHeader);
  batch.resize(kHeader + header_bytes(kHasOrigin));
  write_header(batch.data() + kHeader, message);
  CHECK(outcome(batch).find("does not exist") != std::string::npos);
}

TEST_CASE("a payload of another size than was announced is refused", "[runtime][corrupt]") {
  const Bytes batch = batch_of_payloads();
  const bool payload_first = GENERATE(true, false);
  const std::size_t bytes = GENERATE(0u, 7999u, 8001u);
  Network network({2, 1});
  const Bytes payload(bytes);
  if (payload_first) network.wire().inject_payload(1, 0, 0, payload);
  network.wire().inject(1, Lane::data, batch);
  if (!payload_first) {
    network.run(1);
    CHECK_NOTHROW(network.wire().inject_payload(1, 0, 0, payload));  // it is the receiver's to see
  }
  CHECK_THROWS_AS(network.run(1), CorruptMessage);
}

TEST_CASE("arguments fill their message", "[runtime][corrupt]") {
  const Bytes batch = batch_of([](Pe& pe) { RemoteProcedure<&take_number, Counting::counted>::send(pe, 1, 7); });
  const std::uint32_t bytes = static_cast<std::uint32_t>(batch.size() - kArguments);
  for (const std::uint32_t more : {1u, 4u, 100u}) {
    Bytes longer = with(batch, kHeader + offsetof(WireHeader, bytes), bytes + more);
    longer.resize(longer.size() + more);
    CHECK(outcome(longer).find("do not fill the message") != std::string::npos);
    CHECK(taken == 0);
  }
  CHECK(outcome(batch).empty());
  CHECK(taken == 1);
}

}  // namespace kaon::testing::corrupt
