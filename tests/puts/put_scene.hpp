// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/gpu/puts/prepared_puts.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace puts {

inline gpu::PutsStartedBy starter;  // of the lists that a test makes

}  // namespace puts

inline int number_of(gpu::PutsStartedBy starter) { return static_cast<int>(starter); }

inline DeviceSceneSettings settings_of(Network::Shape shape, std::uint64_t seed, DriverNotes* notes = nullptr) {
  DeviceSceneSettings settings;
  settings.shape = shape;
  settings.devices = shape.pes_per_process;
  settings.seed = seed;
  settings.notes = notes;
  return settings;
}

inline const gpu::PutsStartedBy kStarters[] = {gpu::PutsStartedBy::device, gpu::PutsStartedBy::host};

/// A list of puts of 4 bytes from one buffer to another one of the same device.
struct List {
  gpu::Stream stream;
  gpu::Buffer<std::uint32_t> out{16, stream}, in{16, stream}, flags{16, stream}, refused{1, stream};
  gpu::SegmentTable table;
  gpu::SegmentNumber from = table.add("out", out), to = table.add("in", in), words = table.add("flags", flags);
  gpu::PreparedPutsOptions options{.started_by = puts::starter};

  std::vector<gpu::Put> puts(std::uint16_t count) const {
    std::vector<gpu::Put> list;
    for (std::uint16_t i = 0; i < count; ++i) {
      const std::uint64_t offset = std::uint64_t{4} * i;
      list.push_back(
          {.from = from, .to = to, .flags = words, .flag = i, .bytes = 4, .from_offset = offset, .to_offset = offset});
    }
    return list;
  }
  template <class Error = UsageError>
  std::string refusal(const std::vector<gpu::Put>& list) {
    return thrown<Error>([&] { const gpu::PreparedPuts prepared(table, list, stream, options); });
  }
};

/// On one device, with several seeds.
inline void run_by_each_starter(std::uint64_t seeds, Task<> (*task)(Runtime&)) {
  for (const gpu::PutsStartedBy starter : kStarters)
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed << ", started by " << number_of(starter));
      puts::starter = starter;
      DriverNotes notes;
      { DeviceScene(settings_of({1, 1}, seed, &notes)).run(task); }
      CHECK(notes.prepared_copies == 0);
    }
  puts::starter = gpu::PutsStartedBy::automatic;
}

}  // namespace kaon::testing
