// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/payloads/route.hpp"

namespace kaon::runtime {

/// Which way payloads took, as their senders saw it (hand-overs and device copies: their receivers). Those inside their
/// messages are not counted.
struct TransferReport {
  struct Count {
    std::uint64_t payloads = 0;
    std::uint64_t bytes = 0;
    double seconds = 0;  // from the start of each to its end, summed; 0 where nothing is waited for
  };
  struct Fallback {  // payloads that a better engine could not take
    Route refused = Route::direct;
    std::string reason;
    std::uint64_t payloads = 0;
    std::uint64_t bytes = 0;
  };
  std::array<Count, kRoutes> routes{};
  std::vector<Fallback> fallbacks;
  std::uint64_t raised = 0;  // flags behind payloads, by the PE that received them

  /// Why kernels that a stream held back, so that more could share their launch, were launched: the PE had nothing else
  /// to run, they had waited long, the list was full, or other work was to be ordered behind them.
  enum class LaunchCause : std::uint8_t { idle, time, full, needed };
  static constexpr std::size_t kLaunchCauses = 4;
  struct GatheredLaunches {
    std::uint64_t kernels = 0;
    std::array<std::uint64_t, kLaunchCauses> launches{};  // by cause
  };
  GatheredLaunches gathered;

  const Count& operator[](Route route) const { return routes[static_cast<std::size_t>(route)]; }
  /// Payloads of devices that went through the memory of hosts.
  std::uint64_t staged() const {
    return (*this)[Route::staged_in_memory].payloads + (*this)[Route::staged_by_network].payloads;
  }
  void add(Route route, std::uint64_t bytes, double seconds = 0) {
    Count& count = routes[static_cast<std::size_t>(route)];
    ++count.payloads;
    count.bytes += bytes;
    count.seconds += seconds;
  }
  /// A payload, or several, did not go by the route `refused`.
  void add_fallback(Route refused, std::string_view reason, std::uint64_t bytes, std::uint64_t payloads = 1);
  void add_raised() { ++raised; }
  void add_gathered(LaunchCause cause, std::uint64_t kernels) {
    gathered.kernels += kernels;
    ++gathered.launches[static_cast<std::size_t>(cause)];
  }
  void add(const TransferReport& other);
};

/// A table for people: route, payloads, MiB, GB/s of one transfer on average; then each fallback with its reason, and
/// launches that several kernels shared.
std::string to_text(const TransferReport& report);

}  // namespace kaon::runtime
