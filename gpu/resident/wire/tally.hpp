// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/backends/api.hpp"

namespace kaon::gpu {

/// How many tasks the device has made and finished, in one word that is right however many there were: the lower half
/// says how many more were made than finished, around 32 bits, and the upper one moves with what is finished.
namespace tally {
KAON_DEVICE constexpr std::uint64_t made(std::uint32_t tasks) { return tasks; }
KAON_DEVICE constexpr std::uint64_t finished(std::uint32_t tasks) { return (std::uint64_t{tasks} << 32) - tasks; }
/// True if as many tasks are finished as were made by the device and taken by it.
KAON_DEVICE constexpr bool is_even(std::uint64_t tally, std::uint32_t taken) {
  return static_cast<std::uint32_t>(tally) + taken == 0;
}
}  // namespace tally
/// Tasks that were sent to peers and taken from them, in one word of which the lower half carries into the upper one:
/// what it has grown by tells both, of fewer than 2^32.
namespace traffic {
KAON_DEVICE constexpr std::uint64_t sent(std::uint32_t tasks) { return std::uint64_t{tasks} << 32; }
KAON_DEVICE constexpr std::uint64_t taken(std::uint32_t tasks) { return tasks; }
KAON_DEVICE constexpr std::uint32_t sent_in(std::uint64_t more) { return static_cast<std::uint32_t>(more >> 32); }
KAON_DEVICE constexpr std::uint32_t taken_in(std::uint64_t more) { return static_cast<std::uint32_t>(more); }
}  // namespace traffic

}  // namespace kaon::gpu
