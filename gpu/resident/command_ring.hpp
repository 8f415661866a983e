// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

/// What one side asks of the other: 48 bytes whose meaning the two agree on.
struct Command {
  static constexpr unsigned kWords = 12;
  std::uint32_t words[kWords];
};

/// A command in a ring. Each quad tells by its epoch that it is there, so that one look fetches the command and
/// whether it is whole: a look at a flag first would cross the bus twice.
struct alignas(64) CommandSlot {
  Quad quads[4];
};

/// A ring of commands from one or many producers to one taker, by positions that only grow (and go around 32 bits).
/// The slots lie where they are read, and hold zeros at first. Words is VendorWords or HostWords: the functions are
/// those of both sides, on a device and on the host.
struct CommandRing {
  CommandSlot* slots;
  std::uint32_t* head;      // how many were taken: what the producers look at, near them
  std::uint32_t* far_head;  // what the taker writes, when that is elsewhere; nullptr: it is `head`
  std::uint32_t capacity;   // a power of two
  Scope scope;              // of both sides

  /// By a producer. `position` is the next one, or one that was given to this producer.
  template <class Words>
  KAON_DEVICE bool has_room(std::uint32_t position) const {
    if (position - Words::load(head, scope) < capacity) return true;
    if (far_head == nullptr) return false;
    const std::uint32_t far = Words::load(far_head, scope);
    Words::store(head, far, scope);  // another may just have stored a later one: then it is looked up once more
    return position - far < capacity;
  }
  /// What was written before is seen by who takes the command.
  template <class Words>
  KAON_DEVICE void put(std::uint32_t position, const Command& command) const {
    Words::fence(scope);
    put_behind_fence<Words>(position, command);
  }
  template <class Words>
  KAON_DEVICE void put_behind_fence(std::uint32_t position, const Command& command) const {
    CommandSlot& slot = slots[position & (capacity - 1)];
    for (unsigned i = 0; i < 4; ++i)
      Words::put(slot.quads[i],
                 {{command.words[3 * i], command.words[3 * i + 1], command.words[3 * i + 2]}, position + 1});
  }
  /// By the taker: whether the command of this position is there. It stays until take().
  template <class Words>
  KAON_DEVICE bool look_at(std::uint32_t position, Command& command) const {
    const CommandSlot& slot = slots[position & (capacity - 1)];
    Quad quads[4];
    for (unsigned i = 0; i < 4; ++i) quads[i] = Words::look_at(slot.quads[i]);
    for (const Quad& quad : quads)
      if (quad.epoch != position + 1) return false;
    for (unsigned i = 0; i < Command::kWords; ++i) command.words[i] = quads[i / 3].words[i % 3];
    Words::fence(scope);
    return true;
  }
  /// `count` commands in all were looked at, and are taken: their slots are free.
  template <class Words>
  KAON_DEVICE void take(std::uint32_t count) const {
    Words::set(far_head != nullptr ? far_head : head, count);  // behind the fence of look_at()
  }
};

}  // namespace kaon::gpu
