// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <cstddef>
#include <span>
#include <vector>

#include "kaon/runtime/launch/descriptor.hpp"

namespace kaon::launch {

// poll() for who waits for the same descriptors again and again: the system keeps the set, so that a wait costs what is
// ready and what has changed in the set, not how many descriptors there are. On one thread.
class PollSet {
 public:
  // Throws UsageError when the system has no descriptor left.
  PollSet();

  // As poll(): waits until one of `polled` is ready, for `limit_ms` at most (-1: for ever), and says in `revents` which
  // are. Each descriptor at most once; a negative one is ignored. A descriptor that was closed is left out of one wait
  // before another of its number may be in it.
  void wait(std::span<pollfd> polled, int limit_ms);

 private:
  struct Member {
    std::size_t position = 0;      // in what is waited for now
    std::size_t wait = 0;          // in which it was wanted last; 0: never
    short events = 0;              // that the system knows
    bool is_known = false;         // to the system
    bool is_always_ready = false;  // a file: the system watches none
  };

  void note(std::span<pollfd> polled);
  void leave_out_others();
  void tell(int descriptor, short events);
  [[nodiscard]] bool is_wanted(int descriptor) const;
  Member& member(int descriptor) { return members_[static_cast<std::size_t>(descriptor)]; }

  Descriptor set_;
  std::vector<Member> members_;  // by descriptor
  std::vector<int> known_;       // descriptors, to the system or as files
  std::size_t wait_ = 0;
};

}  // namespace kaon::launch
