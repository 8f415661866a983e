// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "kaon/runtime/base/error.hpp"
#include "tests/machine_ucx/machines.hpp"

using namespace kaon::testing;

namespace {

constexpr std::size_t kSizes[] = {0, 1, 8000, 64 << 10, 10 << 20};

// Long enough for an announcement to arrive; every test also holds when it has not.
void progress_a_while(Machines& machines) {
  for (int i = 0; i < 100; ++i) {
    for (auto& port : machines.ports) port->progress();
  }
}

}  // namespace

TEST_CASE("a payload finds its receive, whichever comes first", "[machine_ucx][payload]") {
  const auto bytes = GENERATE(from_range(std::begin(kSizes), std::end(kSizes)));
  const auto is_sent_first = GENERATE(true, false);
  Machines machines(HostCarrier::tagged);
  auto data = pattern(bytes);
  std::vector<std::byte> landing(bytes);
  Done sent, received;
  bool is_free = false, is_here = false;
  const auto send = [&] { is_free = machines.port(0).send_payload(1, 5, memory(data), sent); };
  const auto receive = [&] { is_here = machines.port(1).receive_payload(0, 5, memory(landing), received); };
  is_sent_first ? send() : receive();
  progress_a_while(machines);
  is_sent_first ? receive() : send();
  machines.until([&] { return (is_free || sent.times == 1) && (is_here || received.times == 1); });
  CHECK(landing == data);
  CHECK_FALSE(machines.port(0).is_sending());
  progress_a_while(machines);
  CHECK(sent.times == (is_free ? 0 : 1));
  CHECK(received.times == (is_here ? 0 : 1));
}

TEST_CASE("payloads meet by source and counter, not by order", "[machine_ucx][payload]") {
  Machines machines(HostCarrier::tagged, 3);
  constexpr std::uint32_t kLast = 0xffffffff;  // the counter wraps around
  std::vector<std::vector<std::byte>> data, landing(4, std::vector<std::byte>(20000));
  for (unsigned i = 0; i < 4; ++i) data.push_back(pattern(20000, i));
  Done done[8];
  machines.port(0).send_payload(2, kLast, memory(data[0]), done[0]);
  machines.port(0).send_payload(2, 0, memory(data[1]), done[1]);
  machines.port(1).send_payload(2, 0, memory(data[2]), done[2]);
  machines.port(1).send_payload(2, kLast, memory(data[3]), done[3]);
  const std::pair<PeId, std::uint32_t> wanted[] = {{1, kLast}, {0, 0}, {0, kLast}, {1, 0}};
  const std::size_t expected[] = {3, 1, 0, 2};
  int here = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    here += machines.port(2).receive_payload(wanted[i].first, wanted[i].second, memory(landing[i]), done[4 + i]);
  }
  machines.until([&] { return here + done[4].times + done[5].times + done[6].times + done[7].times == 4; });
  machines.until([&] { return !machines.port(0).is_sending() && !machines.port(1).is_sending(); });
  for (std::size_t i = 0; i < 4; ++i) CHECK(landing[i] == data[expected[i]]);
}

TEST_CASE("a transfer completes in progress, never inside the call that starts it", "[machine_ucx][payload]") {
  const auto bytes = GENERATE(from_range(std::begin(kSizes), std::end(kSizes)));
  Machines machines(HostCarrier::tagged);
  auto data = pattern(bytes);
  std::vector<std::byte> landing(bytes);
  Done sent, received;
  const bool is_free = machines.port(0).send_payload(1, 1, memory(data), sent);
  CHECK(sent.times == 0);
  progress_a_while(machines);  // the announcement is here: UCX may fetch at once
  const bool is_here = machines.port(1).receive_payload(0, 1, memory(landing), received);
  CHECK(received.times == 0);
  machines.until([&] { return (is_free || sent.times == 1) && (is_here || received.times == 1); });
  CHECK(landing == data);
}

TEST_CASE("a payload of another size than agreed is refused by name", "[machine_ucx][payload]") {
  const auto bytes = GENERATE(std::size_t{10}, std::size_t{100000});
  const auto difference = GENERATE(-1, 1);
  const auto is_sent_first = GENERATE(true, false);
  Machines machines(HostCarrier::tagged);
  auto data = pattern(bytes);
  std::vector<std::byte> landing(bytes + static_cast<std::size_t>(difference));
  Done sent, received;
  const auto send = [&] { machines.port(0).send_payload(1, 77, memory(data), sent); };
  const auto receive = [&] { machines.port(1).receive_payload(0, 77, memory(landing), received); };
  const auto both = [&] {
    is_sent_first ? send() : receive();
    progress_a_while(machines);
    is_sent_first ? receive() : send();
    machines.until([] { return false; });
  };
  CHECK_THROWS_MATCHES(both(), CorruptMessage,
                       Catch::Matchers::Predicate<CorruptMessage>([](const CorruptMessage& error) {
                         return std::string(error.what()).find("payload 77 of PE 0") != std::string::npos;
                       }));
  CHECK(received.times == 0);
}

#ifdef NDEBUG  // slow: in optimized builds only
namespace {

std::size_t free_memory_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("a payload over 2 GiB arrives whole", "[machine_ucx][payload][slow]") {
  constexpr std::size_t kBytes = std::size_t{2253} << 20;  // 2.2 GiB
  if (free_memory_bytes() < 3 * kBytes) {
    WARN("left out: this machine has too little free memory");
    return;
  }
  Machines machines(HostCarrier::tagged);
  const auto data = std::make_unique_for_overwrite<std::byte[]>(kBytes);
  const auto landing = std::make_unique_for_overwrite<std::byte[]>(kBytes);
  for (std::size_t i = 0; i < kBytes; i += 4096) data[i] = static_cast<std::byte>(i / 4096 * 131);
  data[kBytes - 1] = std::byte{42};
  Done sent, received;
  machines.port(0).send_payload(1, 1, {data.get(), kBytes}, sent);
  machines.port(1).receive_payload(0, 1, {landing.get(), kBytes}, received);
  machines.until([&] { return sent.times == 1 && received.times == 1; });
  bool is_same = landing[kBytes - 1] == std::byte{42};
  for (std::size_t i = 0; i < kBytes; i += 4096) is_same = is_same && landing[i] == data[i];
  CHECK(is_same);
}
#endif
