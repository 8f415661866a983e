// SPDX-License-Identifier: Apache-2.0
// A warp of several threads, which the emulation has not: they run one after the other, each as far as it can without
// the others. So the first one is ahead of all wherever nothing holds it.
#pragma once
#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "kaon/gpu/kernels/host_words.hpp"

namespace kaon::gpu::test {

class Lanes {
 public:
  static constexpr unsigned kCount = 4;
  static unsigned lane() { return lane_; }
  /// Returns the values of all lanes at this point, to which each lane must come.
  static std::array<std::uint32_t, kCount> meet(std::uint32_t said) { return lanes_->meet_others(said); }

  /// By all of them. True: they have met as often.
  static bool run(const std::function<void()>& act) {
    Lanes lanes;
    lanes_ = &lanes;
    std::vector<std::thread> threads;
    for (unsigned lane = 0; lane < kCount; ++lane) threads.emplace_back([&, lane] { lanes.run_as(lane, act); });
    for (std::thread& thread : threads) thread.join();
    for (const unsigned met : lanes.met_)
      if (met != lanes.met_[0]) return false;
    return true;
  }

 private:
  void run_as(unsigned lane, const std::function<void()>& act) {
    lane_ = lane;
    await_turn();
    act();
    const std::lock_guard lock(mutex_);
    has_ended_[lane] = true;
    pass_on();
  }
  std::array<std::uint32_t, kCount> meet_others(std::uint32_t said) {
    const unsigned place = met_[lane_]++ % 2;  // others may still be told what was said before
    said_[place][lane_] = said;
    {
      const std::lock_guard lock(mutex_);
      pass_on();
    }
    await_turn();
    return said_[place];
  }
  void await_turn() {
    std::unique_lock lock(mutex_);
    has_changed_.wait(lock, [this] { return turn_ == lane_; });
  }
  void pass_on() {
    unsigned next = (turn_ + 1) % kCount;
    while (next != turn_ && has_ended_[next]) next = (next + 1) % kCount;
    turn_ = next;
    has_changed_.notify_all();
  }

  static inline Lanes* lanes_ = nullptr;
  static inline thread_local unsigned lane_ = 0;
  std::mutex mutex_;
  std::condition_variable has_changed_;
  unsigned turn_ = 0;
  std::array<bool, kCount> has_ended_{};
  std::array<unsigned, kCount> met_{};
  std::array<std::array<std::uint32_t, kCount>, 2> said_{};
};

/// Words as threads of such a warp hand them on: each has a quad of a line.
struct LaneWords : HostWords {
  static constexpr unsigned kWarpLanes = Lanes::kCount;
  static unsigned lane() { return Lanes::lane(); }
  static std::uint32_t agree(std::uint32_t value) { return Lanes::meet(value)[0]; }
  static void sync_warp() { (void)Lanes::meet(0); }
  static std::uint64_t which(bool is_true) {
    std::uint64_t which = 0;
    unsigned lane = 0;
    for (const std::uint32_t said : Lanes::meet(is_true ? 1 : 0)) which |= std::uint64_t{said} << lane++;
    return which;
  }

  class Line {
   public:
    void look_at(const Quad* quads) { own_ = HostWords::look_at(quads[lane()]); }
    void acquire(const Quad* quads) { own_ = HostWords::acquire(quads[lane()]); }
    bool is_of(std::uint32_t epoch) const {
      return which(own_.epoch == epoch) == (std::uint64_t{1} << Lanes::kCount) - 1;
    }
    void copy_words(std::uint32_t* to) const {
      for (unsigned i = 0; i < 3; ++i) to[3 * lane() + i] = own_.words[i];
    }

   private:
    Quad own_{};
  };
};

}  // namespace kaon::gpu::test
