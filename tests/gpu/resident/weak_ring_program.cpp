// SPDX-License-Identifier: Apache-2.0
// Commands that bring what was written before them, with the order that the argument names left out: built with
// ThreadSanitizer, that must find it, and nothing where none is.
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/kernels/host_words.hpp"
#include "tests/gpu/resident/ring.kernels.hpp"

namespace {

using namespace kaon::gpu;
using test::Missing;

constexpr std::uint32_t kCapacity = 4, kEach = 20;

void settle(Driver& driver, NativeStream stream) {
  const NativeEvent event = driver.make_event(0);
  driver.record(event, stream);
  while (!driver.is_reached(event)) driver.advance();
  driver.destroy_event(event);
}

/// From block to block.
std::uint32_t run_on_device(Driver& driver, NativeStream stream, Missing missing, bool acquires = false) {
  std::vector<CommandSlot> slots(kCapacity);
  std::vector<std::uint32_t> cells(2 * kEach);
  std::uint32_t head = 0, given = 0, wrong = 0;
  const CommandRing ring{slots.data(), &head, nullptr, kCapacity, Scope::device};
  launch(Backend::host, stream, {{3}, {32}},
         test::ManyToOne{ring, &given, cells.data(), 0, kEach, &wrong, missing, acquires});
  settle(driver, stream);
  return wrong;
}

/// From a block to the host.
std::uint32_t run_to_host(Driver& driver, NativeStream stream, Scope scope) {
  std::vector<CommandSlot> slots(kCapacity);
  std::vector<std::uint32_t> cells(kEach);
  std::uint32_t head = 0, given = 0, wrong = 0;
  const CommandRing ring{slots.data(), &head, nullptr, kCapacity, scope};
  launch(Backend::host, stream, {{1}, {32}}, test::PutAll{ring, &given, cells.data(), kEach});
  for (std::uint32_t position = 0; position < kEach; ++position) {
    HostWords::Line line;
    do {
      ring.look_at<HostWords>(position, line);
      std::this_thread::yield();
    } while (!line.is_of(epoch_at(position)));
    Command command{};
    ring.take<HostWords>(line, command);
    if (cells[position] != position + 1) ++wrong;
    ring.free<HostWords>(position + 1);
  }
  settle(driver, stream);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string missing = argc > 1 ? argv[1] : "nothing";
  const auto driver = make_host_driver({});
  const NativeStream stream = driver->make_stream(0);
  std::uint32_t wrong = 0;
  if (missing == "release") wrong += run_on_device(*driver, stream, Missing::release);
  if (missing == "acquire") wrong += run_on_device(*driver, stream, Missing::acquire);
  if (missing == "release of who acquires") wrong += run_on_device(*driver, stream, Missing::release, true);
  if (missing == "nothing") wrong += run_on_device(*driver, stream, Missing::nothing);
  if (missing == "nothing") wrong += run_on_device(*driver, stream, Missing::nothing, true);
  if (missing == "scope") wrong += run_to_host(*driver, stream, Scope::device);
  if (missing == "nothing") wrong += run_to_host(*driver, stream, Scope::system);
  driver->destroy(stream);
  return wrong == 0 ? 0 : 1;
}
