// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

/// A request of one side to the other: the words of one of the structs in commands.hpp.
struct Command {
  static constexpr unsigned kWords = 12;
  std::uint32_t words[kWords];
};

/// A command in a ring. Each quad tells by its epoch that it is there, so that one look fetches the command and whether
/// it is whole: a look at a flag first would cross the bus twice.
struct alignas(64) CommandSlot {
  static constexpr unsigned kQuads = 4;
  Quad quads[kQuads];
};

/// The part of a command that the quad at this place of its slot has, and back.
KAON_DEVICE constexpr Quad quad_of(const Command& command, unsigned place, std::uint32_t epoch) {
  const std::uint32_t* const words = command.words + std::size_t{3} * place;
  return {{words[0], words[1], words[2]}, epoch};
}
KAON_DEVICE constexpr void copy_quad(const Quad& quad, unsigned place, Command& command) {
  for (unsigned word = 0; word < 3; ++word) command.words[3 * place + word] = quad.words[word];
}

/// The epoch of a slot at a position when its command is there.
KAON_DEVICE constexpr std::uint32_t epoch_at(std::uint32_t position) { return position + 1; }

/// A ring of commands from one or many producers to one taker, by positions that only grow (and go around 32 bits).
/// Many producers share a count of the positions that were given out. The slots lie where they are read, and hold zeros
/// at first. Words is VendorWords or HostWords: the functions are those of both sides, on a device and on the host.
struct CommandRing {
  CommandSlot* slots;
  std::uint32_t* head;      // how many were taken: what the producers look at, near them
  std::uint32_t* far_head;  // what the taker writes, when that is elsewhere; nullptr: it is `head`
  std::uint32_t capacity;   // a power of two
  Scope scope;              // of both sides

  /// By the producer who has this position, or will when the device answers: puts the command if there is room by what
  /// is known near. The fence is under way with both answers, and waits for nothing more than they do.
  template <class Words>
  KAON_DEVICE bool put_at_once(std::uint32_t position, const Command& command) const {
    const std::uint32_t taken = Words::peek(head);
    Words::fence(scope);
    if (position - taken >= capacity) return false;
    put_behind_fence<Words>(position, command);
    return true;
  }
  /// By the producer who has this position: whether put() may follow.
  template <class Words>
  KAON_DEVICE bool has_room(std::uint32_t position) const {
    if (position - Words::peek(head) < capacity) return true;
    if (far_head == nullptr) return false;
    const std::uint32_t far = Words::peek(far_head);
    Words::fence(scope);
    Words::set(head, far);  // another may just have stored a later one: then it is looked up once more
    return position - far < capacity;
  }
  /// Puts a command. Its taker sees everything that was written before.
  template <class Words>
  KAON_DEVICE void put(std::uint32_t position, const Command& command) const {
    Words::fence(scope);
    put_behind_fence<Words>(position, command);
  }
  template <class Words>
  KAON_DEVICE void put_behind_fence(std::uint32_t position, const Command& command) const {
    CommandSlot& slot = slots[position & (capacity - 1)];
    for (unsigned i = 0; i < CommandSlot::kQuads; ++i)
      Words::put(slot.quads[i], quad_of(command, i, epoch_at(position)));
  }
  /// By the taker, as are those below: what is at this position. It is there when `line` is of epoch_at(position).
  template <class Words>
  KAON_DEVICE void look_at(std::uint32_t position, typename Words::Line& line) const {
    line.look_at(slots[position & (capacity - 1)].quads);
  }
  /// The same, where what was written before the command is to be seen without the fence of take(): one such look waits
  /// for the other.
  template <class Words>
  KAON_DEVICE void acquire(std::uint32_t position, typename Words::Line& line) const {
    line.acquire(slots[position & (capacity - 1)].quads);
  }
  /// Copies a command that is there.
  template <class Words>
  KAON_DEVICE void take(const typename Words::Line& line, Command& command) const {
    Words::fence(scope);
    line.copy_words(command.words);
  }
  /// The same by a second look, which acquires: in memory of the device that takes half as long as a fence. Behind it
  /// all of the warp have looked, so that one may free the slot.
  template <class Words>
  KAON_DEVICE void take_by_second_look(std::uint32_t position, Command& command) const {
    typename Words::Line line;
    acquire<Words>(position, line);
    line.copy_words(command.words);
    Words::sync_warp();
  }
  /// By one thread: `count` commands in all were taken, whose slots are free.
  template <class Words>
  KAON_DEVICE void free(std::uint32_t count) const {
    Words::set(far_head != nullptr ? far_head : head, count);  // behind what take() or acquire() has read
  }
};

}  // namespace kaon::gpu
