// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>

#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::chares {

class QuiescenceWait {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;
  explicit QuiescenceWait(Pe& pe) : pe_(pe) {}
  bool is_ready() const noexcept { return false; }
  bool start(Waiter& waiter);
  void give_up(Waiter& waiter) noexcept;
  void take() const noexcept {}
  std::string describe() const { return "for quiescence()"; }

 private:
  Pe& pe_;
};

/// Holds off quiescence until its time has come.
class Sleep {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  Sleep(Pe& pe, std::chrono::nanoseconds time) : pe_(pe), time_(time) {}
  /// A longer time than nanoseconds can say is for ever.
  template <class Rep, class Period>
  static std::chrono::nanoseconds clamped(std::chrono::duration<Rep, Period> time) {
    using Seconds = std::chrono::duration<double>;
    constexpr auto kMost = std::chrono::nanoseconds::max();
    if (Seconds(time) >= Seconds(kMost)) return kMost;
    if (Seconds(time) <= -Seconds(kMost)) return -kMost;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time);
  }
  /// Also without any time to wait: a loop that sleeps gives way to others.
  bool is_ready() const noexcept { return false; }
  bool start(Waiter& waiter) {
    when_ = pe_.timers().add_in(std::max(time_, std::chrono::nanoseconds(0)), waiter);
    return false;
  }
  void give_up(Waiter& waiter) noexcept { pe_.timers().remove(when_, waiter); }
  void take() const noexcept {}
  std::string describe() const {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "for a time of %g s", std::chrono::duration<double>(time_).count());
    return text.data();
  }

 private:
  Pe& pe_;
  std::chrono::nanoseconds time_;
  Timers::Time when_;
};

}  // namespace kaon::chares
