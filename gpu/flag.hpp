// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "kaon/gpu/flag_watch.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/runtime/payloads/arrival_flag.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::gpu {

class Stream;
class FlagState;

/// The wait for a flag; other entries of the PE run meanwhile.
class FlagWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  FlagWait(FlagWatch& watch, FlagWord flag, std::uint32_t k) : watch_(watch), awaited_{flag, k, nullptr} {}
  bool is_ready() const { return awaited_.is_reached(); }
  bool start(Waiter& waiter) {
    awaited_.waiter = &waiter;
    watch_.add(awaited_);
    return false;
  }
  void give_up(Waiter&) noexcept { watch_.remove(awaited_); }
  void take() const noexcept {}
  std::string describe() const;

 private:
  FlagWatch& watch_;
  FlagWatch::Awaited awaited_;
};

/// A word that only grows, 0 at first, in memory of the host that its devices reach (flag_device.hpp): whoever sees it
/// reach k sees what was written before it was raised. Tasks, other threads, streams and kernels wait for it; for
/// entries of a resident scheduler, Resident::make_flag() gives one that lies where they look.
///
/// It is raised by the host, by kernels or by one stream, and not by several of these. Tasks and streams of the PE that
/// makes it wait for it; it outlives their waits. k is less than 2^31 ahead of what it has.
class Flag {
 public:
  /// It lasts, for kernels and streams, until what `stream` was given by its end is done.
  explicit Flag(Stream& stream);
  Flag(Flag&& other) noexcept;
  Flag& operator=(Flag&& other) noexcept;
  ~Flag();

  /// For kernels: at.wait(), at.raise() in the scope of the system.
  FlagWord word() const;
  /// By any thread, as the two that follow.
  std::uint32_t value() const;
  void raise(std::uint32_t by = 1) const;
  /// False: it was not reached in that time. Not for a PE's thread, which others need meanwhile.
  bool wait_for(std::uint32_t k, std::chrono::nanoseconds time) const;
  /// Waits until it has been raised k times.
  Awaitable<FlagWait> reached(std::uint32_t k) const;

  /// For Landing::raising(), and for streams.
  ArrivalFlag& arrival() const;
  FlagState& state() const { return *state_; }

 private:
  FlagState* state_;
};

}  // namespace kaon::gpu
