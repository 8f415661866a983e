// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Ways that payloads take. Those of less than 2 KiB in host memory travel inside their message and are not counted.
enum class Path : std::uint8_t {
  host,         // host memory to another process
  handed_over,  // device memory that its receiver took over as it was
  device_copy,  // one copy on the device, into a landing
  direct,       // device memory to device memory of another process
  staged,       // device memory through host memory, to another process
  network,      // as direct, but the network found no way around the host
};
inline constexpr std::size_t kPaths = 6;

constexpr std::string_view name_of(Path path) {
  constexpr std::string_view kNames[kPaths] = {"host", "handed over", "device copy", "direct", "staged", "network"};
  return kNames[static_cast<std::size_t>(path)];
}

/// Which way payloads took, as their senders saw it (hand-overs and device copies: their receivers).
struct TransferReport {
  struct Count {
    std::uint64_t payloads = 0;
    std::uint64_t bytes = 0;
    double seconds = 0;  // from the start of each to its end, summed; 0 where nothing is waited for
  };
  struct Fallback {  // payloads that did not take the direct path
    std::string reason;
    std::uint64_t payloads = 0;
    std::uint64_t bytes = 0;
  };
  std::array<Count, kPaths> paths{};
  std::vector<Fallback> fallbacks;

  const Count& operator[](Path path) const { return paths[static_cast<std::size_t>(path)]; }
  void add(Path path, std::uint64_t bytes, double seconds = 0) {
    Count& count = paths[static_cast<std::size_t>(path)];
    ++count.payloads;
    count.bytes += bytes;
    count.seconds += seconds;
  }
  void add_fallback(std::string_view reason, std::uint64_t payloads, std::uint64_t bytes);
  void add(const TransferReport& other);
};

/// A table for people: path, payloads, MiB, GB/s of one transfer on average; then each fallback with its reason.
std::string to_text(const TransferReport& report);

}  // namespace kaon::runtime
