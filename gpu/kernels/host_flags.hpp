// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>

#include "kaon/gpu/backends/host_fibres.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"

namespace kaon::gpu {

/// Flags as kernels of the emulation see them.
class HostFlags {
 public:
  std::uint32_t value_of(FlagWord flag) const { return cell(flag).load(std::memory_order_acquire); }
  bool has_reached(FlagWord flag, std::uint32_t k) const { return FlagWord::is_reached(value_of(flag), k); }
  void raise(FlagWord flag, std::uint32_t by = 1, Scope = Scope::system) {
    cell(flag).fetch_add(by, std::memory_order_release);
  }
  void raise_to(FlagWord flag, std::uint32_t k) { cell(flag).store(k, std::memory_order_release); }

 protected:
  static std::atomic_ref<std::uint32_t> cell(FlagWord flag) { return std::atomic_ref<std::uint32_t>(*flag.word); }
};

/// One thread's wait for a flag, which others than the threads of its kernel may raise.
class HostFlagWait {
 public:
  HostFlagWait(FlagWord flag, std::uint32_t k, WaitLimit limit)
      : flag_(flag), k_(k), end_(Clock::now() + std::chrono::nanoseconds(limit.nanoseconds)) {}

  /// False: the limit came first.
  bool wait(HostFibres& fibres) {
    if (!is_reached()) fibres.wait_outside_until(&is_over, this);
    return is_reached();  // once more on the own stack: what came before the flag is seen here
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_reached() const { return flags_.has_reached(flag_, k_); }
  static bool is_over(void* wait) {
    const auto& self = *static_cast<const HostFlagWait*>(wait);
    return self.is_reached() || Clock::now() >= self.end_;
  }

  HostFlags flags_;
  FlagWord flag_;
  std::uint32_t k_;
  Clock::time_point end_;
};

/// One thread's search for something that others bring about. Each look but the first is made on a stack of somebody
/// else, so that what it finds counts only when this thread has found it too.
template <class Found, class Look>
class HostSearch {
 public:
  explicit HostSearch(Look& look) : look_(look) {}
  Found run(HostFibres& fibres) {
    for (Found found{};; fibres.wait_outside_until(&is_there, this))
      if (look_(kLooks, found)) return found;
  }

 private:
  static constexpr unsigned kLooks = 1U << 20;  // what others do but seldom is done with each look here
  static bool is_there(void* search) {
    Found found{};
    return static_cast<HostSearch*>(search)->look_(kLooks, found);
  }
  Look& look_;
};

}  // namespace kaon::gpu
