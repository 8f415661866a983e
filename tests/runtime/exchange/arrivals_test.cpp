// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/arrivals.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::arrivals {

using Numbers = std::vector<int>;

std::vector<Numbers> got;      // what arrived, in order
std::vector<Numbers> targets;  // of the post rule
bool rule_throws = false;

Numbers numbers(int first, std::size_t count) {
  Numbers values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

Numbers copy_of(const Payload<int>& payload) { return {payload.view().begin(), payload.view().end()}; }

void take_argument(Pe&, Numbers values) { got.push_back(std::move(values)); }
void take_payload(Pe&, int, Payload<int> payload) { got.push_back(copy_of(payload)); }
void take_several(Pe&, std::vector<Payload<int>> payloads, Payload<int> last) {
  for (const auto& payload : payloads) got.push_back(copy_of(payload));
  got.push_back(copy_of(last));
}
void take_both(Pe&, Numbers argument, Payload<int> payload) {
  got.push_back(std::move(argument));
  got.push_back(copy_of(payload));
}

// An entry with a post rule: its payload lands in targets[where].
using Landed = MessageFunctions<int, Payload<int>>;

void run_landed(Work& work, Pe& pe) {
  auto& message = static_cast<Landed::Typed&>(work);
  auto& [where, payload] = message.arguments;
  if (!targets[static_cast<std::size_t>(where)].empty())
    CHECK(payload.view().data() == targets[static_cast<std::size_t>(where)].data());
  got.push_back(copy_of(payload));
  Landed::destroy(message, pe.pool());
  pe.count_done();
}

void post_landed(Message& message, Pe&) {
  if (rule_throws) throw std::runtime_error("the rule failed");
  auto& [where, payload] = static_cast<Landed::Typed&>(message).arguments;
  Numbers& target = targets[static_cast<std::size_t>(where)];
  const Landing landing = target.empty() ? Landing::pooled() : Landing::into(std::span<int>(target));
  PayloadRecord& record = *payload.record();
  if (record.data == nullptr)
    land(record, landing);
  else
    relocate(record, landing);
}

EntryRecord landed_record{"kaon::testing::arrivals::landed",
                          "void(int, Payload<int>)",
                          sizeof(Landed::Typed),
                          false,
                          &run_landed,
                          &Landed::pack,
                          &Landed::unpack,
                          &Landed::destroy,
                          &Landed::copy,
                          &post_landed};
const EntryRecord* const landed = enlist(landed_record);

void send_landed(Network& network, int where, std::size_t count) {
  network.on(
      0, [&](Pe& pe) { pe.route(Landed::make(pe.pool(), *landed, where, Payload<int>(numbers(where, count))), 1); });
}

template <auto F, class... Args>
void send(Network& network, Args... arguments) {
  network.on(0, [&](Pe& pe) { RemoteProcedure<F, Counting::counted>::send(pe, 1, std::move(arguments)...); });
}

Payload<int> payload(Network& network, int first, std::size_t count) {
  return network.on(0, [&](Pe&) { return Payload<int>(numbers(first, count)); });
}

std::size_t place_of(Network& network, LoopbackNetwork::Kind kind) {
  const auto& pending = network.wire().pending();
  const auto found = std::find_if(pending.begin(), pending.end(), [&](const auto& p) { return p.kind == kind; });
  REQUIRE(found != pending.end());
  return static_cast<std::size_t>(found - pending.begin());
}

void deliver(Network& network, LoopbackNetwork::Kind kind) {
  network.wire().deliver(place_of(network, kind));
  network.run_all();
}

void start(Network& network) {
  got.clear();
  targets.clear();
  rule_throws = false;
  REQUIRE(network.wire().pending().empty());
}

constexpr auto kData = LoopbackNetwork::Kind::data;
constexpr auto kPayload = LoopbackNetwork::Kind::payload;
constexpr std::size_t kMany = 5000;  // ints: more than kInlinePayloadBytes and than kBatchBytes

TEST_CASE("a payload and its header come in either order", "[runtime][arrivals]") {
  Network network({2, 1});
  start(network);
  const bool payload_first = GENERATE(true, false);
  network.wire().copy_at_once(GENERATE(true, false));
  send<&take_payload>(network, 1, payload(network, 3, kMany));
  network.run(0);
  REQUIRE(network.wire().pending().size() == 2);
  deliver(network, payload_first ? kPayload : kData);
  CHECK(got.empty());
  deliver(network, payload_first ? kData : kPayload);
  CHECK(got == std::vector<Numbers>{numbers(3, kMany)});
}

TEST_CASE("payloads of every size arrive as they were", "[runtime][arrivals]") {
  Network network({2, 1});
  const std::size_t count = GENERATE(0u, 1u, 512u, 513u, 2000u, 100'000u, 1'000'000u);
  start(network);
  send<&take_payload>(network, 1, payload(network, 3, count));
  network.run(0);
  CHECK(network.wire().pending().size() == (count * sizeof(int) > kInlinePayloadBytes ? 2 : 1));
  network.run_until_idle();
  CHECK(got == std::vector<Numbers>{numbers(3, count)});
}

TEST_CASE("a message waits for all of its payloads", "[runtime][arrivals]") {
  Network network({2, 1}, default_options(), static_cast<std::uint64_t>(GENERATE(range(1, 20))));
  start(network);
  std::vector<Payload<int>> several;
  std::vector<Numbers> expected;
  network.on(0, [&](Pe& pe) {
    for (int i = 0; i < 5; ++i) several.push_back(Payload<int>(numbers(i, i % 2 ? kMany : 10)));
    for (int i = 0; i < 5; ++i) expected.push_back(numbers(i, i % 2 ? kMany : 10));
    RemoteProcedure<&take_several, Counting::counted>::send(pe, 1, std::move(several), Payload<int>(numbers(9, kMany)));
  });
  expected.push_back(numbers(9, kMany));
  network.run_until_idle();
  CHECK(got == expected);
}

TEST_CASE("an argument too large for a batch travels apart", "[runtime][arrivals]") {
  Network network({2, 1});
  const std::size_t count = GENERATE(1900u, 1990u, 1991u, 1992u, 1993u, 1994u, 1995u, 2000u, 300'000u);
  start(network);
  send<&take_argument>(network, numbers(1, count));
  send<&take_argument>(network, numbers(2, 3));
  network.run_until_idle();
  std::sort(got.begin(), got.end());
  CHECK(got == std::vector<Numbers>{numbers(1, count), numbers(2, 3)});
}

TEST_CASE("a large argument and payloads of one message come in any order", "[runtime][arrivals]") {
  Network network({2, 1}, default_options(), static_cast<std::uint64_t>(GENERATE(range(1, 20))));
  start(network);
  send<&take_both>(network, numbers(5, 10 * kMany), payload(network, 6, kMany));
  network.run(0);
  CHECK(network.wire().pending().size() == 3);
  network.run_until_idle();
  CHECK(got == std::vector<Numbers>{numbers(5, 10 * kMany), numbers(6, kMany)});
}

TEST_CASE("payload numbers wrap around", "[runtime][arrivals]") {
  Options options = default_options();
  options.payload_counter_bits = 4;
  Network network({2, 1}, options, static_cast<std::uint64_t>(GENERATE(range(1, 10))));
  start(network);
  std::vector<Numbers> expected;
  for (int round = 0; round < 30; ++round) {
    for (int i = 0; i < 5; ++i) {  // three numbers each: 15 of 16 are in flight
      send<&take_several>(network, std::vector<Payload<int>>{}, payload(network, round, 600));
      send<&take_both>(network, numbers(round, kMany), payload(network, i, 700));
      expected.insert(expected.end(), {numbers(round, 600), numbers(round, kMany), numbers(i, 700)});
    }
    network.run_until_idle();
  }
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  CHECK(got == expected);
}

TEST_CASE("a post rule says where a payload lands", "[runtime][arrivals]") {
  Network network({2, 1});
  start(network);
  const std::size_t count = GENERATE(100u, 5000u);
  const bool payload_first = GENERATE(true, false);
  targets = {Numbers(count + 7, -1), {}};
  send_landed(network, 0, count);
  send_landed(network, 1, count);  // pooled
  network.run(0);
  if (payload_first && count == kMany) deliver(network, kPayload);
  network.run_until_idle();
  std::sort(got.begin(), got.end());
  CHECK(got == std::vector<Numbers>{numbers(0, count), numbers(1, count)});
  CHECK(std::equal(targets[0].begin(), targets[0].end() - 7, got[0].begin(), got[0].end()));
  CHECK(targets[0].back() == -1);
}

TEST_CASE("a landing that is too small is refused before a byte is written", "[runtime][arrivals]") {
  Network network({2, 1});
  start(network);
  const std::size_t count = GENERATE(100u, 5000u);
  targets = {Numbers(count - 1, -1)};
  send_landed(network, 0, count);
  CHECK_THROWS_AS(network.run_until_idle(), UsageError);
  CHECK(targets[0] == Numbers(count - 1, -1));
  CHECK(got.empty());
}

TEST_CASE("a post rule that throws loses nothing", "[runtime][arrivals]") {
  Network network({2, 1});
  start(network);
  targets.assign(1, {});
  rule_throws = true;
  send_landed(network, 0, kMany);
  CHECK_THROWS_AS(network.run_until_idle(), std::runtime_error);
}

TEST_CASE("messages that still wait for payloads go when the run ends", "[runtime][arrivals]") {
  Network network({2, 1});
  start(network);
  targets = {Numbers(kMany)};
  send<&take_both>(network, numbers(5, 10 * kMany), payload(network, 6, kMany));
  send<&take_payload>(network, 1, payload(network, 6, kMany));
  send_landed(network, 0, kMany);
  network.wire().hold([](const auto& parcel) { return parcel.kind == kPayload; });
  network.run_until_idle();
  CHECK(got.empty());  // the rest is the sanitizer's
}

TEST_CASE("payloads of several messages come in any order", "[runtime][arrivals]") {
  Network network({2, 1});
  start(network);
  network.on(0, [](Pe& pe) {
    for (int message = 0; message < 3; ++message) {
      std::vector<Payload<int>> several;
      for (int i = 0; i < 3; ++i) several.push_back(Payload<int>(numbers(10 * message + i, kMany)));
      RemoteProcedure<&take_several, Counting::counted>::send(pe, 1, std::move(several),
                                                              Payload<int>(numbers(10 * message + 3, kMany)));
    }
  });
  network.run(0);
  const auto& pending = network.wire().pending();
  const auto has = [&](LoopbackNetwork::Kind kind) {
    return std::any_of(pending.begin(), pending.end(), [&](const auto& parcel) { return parcel.kind == kind; });
  };
  while (has(kData)) deliver(network, kData);
  while (has(kPayload)) network.wire().deliver(pending.size() - 1);  // the latest first
  network.run_all();
  REQUIRE(got.size() == 12);
  for (std::size_t i = 0; i < 12; ++i)  // each message has its own four
    CHECK(got[i] == numbers(got[i / 4 * 4].front() + static_cast<int>(i % 4), kMany));
}

TEST_CASE("a large argument of a control message uses and returns no credit", "[runtime][arrivals]") {
  Options options = default_options();
  options.credits = 2;
  Network network({2, 1}, options);
  start(network);
  for (int i = 0; i < 4; ++i)
    network.on(0, [&](Pe& pe) { RemoteProcedure<&take_argument>::send(pe, 1, numbers(i, 10 * kMany)); });
  network.run_until_idle();
  CHECK(got.size() == 4);
  // nor more later: two batches of the data lane are under way, as there are credits
  for (int i = 0; i < 4; ++i) send<&take_argument>(network, numbers(i, 1000));
  network.run_all();
  CHECK(std::count_if(network.wire().pending().begin(), network.wire().pending().end(),
                      [](const auto& parcel) { return parcel.kind == kData; }) == 2);
  network.run_until_idle();
  CHECK(got.size() == 8);
}

}  // namespace kaon::testing::arrivals
