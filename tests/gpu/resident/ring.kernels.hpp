// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/kernel.hpp>

#include "kaon/gpu/resident/wire/command_ring.hpp"

namespace kaon::gpu::test {

/// The memory order that a kernel omits although its words need it, to test which tools find that.
enum class Missing : std::uint8_t { nothing, release, acquire };

/// All blocks but the first put `each` commands into one ring, from which the first takes them. A command has the
/// number of its producer, its own, and what the producer wrote before into a cell.
struct ManyToOne {
  static constexpr bool kIsCooperative = true;
  static constexpr unsigned kMostProducers = 8;
  struct Shared {
    Command command;
    std::uint32_t next[kMostProducers];
  };
  CommandRing ring;
  std::uint32_t* given;  // positions, to producers
  std::uint32_t* cells;  // of the producers, one for each command
  std::uint32_t first;   // position
  std::uint32_t each;
  std::uint32_t* wrong;
  Missing missing = Missing::nothing;
  bool acquires = false;  // looks do, and no fence behind them

  template <class Context>
  KAON_DEVICE void operator()(Context& at, Shared& shared) const {
    const unsigned block = at.block().x, producers = at.blocks().x - 1;
    if (!at.is_in_first_warp()) return;
    if (block == 0)
      take_all(at, shared, producers);
    else if (at.is_first())
      put_all(at, block - 1);
  }

 private:
  template <class Context>
  KAON_DEVICE void put_all(Context& at, unsigned producer) const {
    using Words = typename Context::Words;
    for (std::uint32_t i = 0; i < each; ++i) {
      cells[producer * each + i] = i + 1;
      const std::uint32_t position = Words::add(given, 1);
      at.template find<bool>([&](unsigned, bool& has_room) {
        has_room = ring.has_room<Words>(position);
        return has_room;
      });
      const Command command{{producer, i, 0, 0, 0, 0, 0, 0, 0, 0, 0, producer + i}};
      if (missing == Missing::release)
        ring.put_behind_fence<Words>(position, command);
      else
        ring.put<Words>(position, command);
    }
  }
  template <class Context>
  KAON_DEVICE void take_all(Context& at, Shared& shared, unsigned producers) const {
    using Words = typename Context::Words;
    for (unsigned i = 0; i < producers && at.is_first(); ++i) shared.next[i] = 0;
    for (std::uint32_t count = 0; count < producers * each; ++count) {
      const std::uint32_t position = first + count;
      const auto line = at.template find<typename Words::Line>([&](unsigned, typename Words::Line& seen) {
        if (acquires)
          ring.acquire<Words>(position, seen);
        else
          ring.look_at<Words>(position, seen);
        return seen.is_of(epoch_at(position));
      });
      if (acquires || missing == Missing::acquire)
        line.copy_words(shared.command.words);
      else
        ring.take<Words>(line, shared.command);
      Words::sync_warp();
      if (at.is_first()) check(at, shared);
      if (at.is_first()) ring.free<Words>(position + 1);
      Words::sync_warp();
    }
  }
  /// Checks that commands of each producer come in order, whole, and behind what the producer wrote before.
  template <class Context>
  KAON_DEVICE void check(Context& at, Shared& shared) const {
    const std::uint32_t producer = shared.command.words[0], number = shared.command.words[1];
    if (number != shared.next[producer]++ || shared.command.words[11] != producer + number ||
        cells[producer * each + number] != number + 1)
      at.add_into(wrong, 1U);
  }
};

/// One block puts commands for somebody else, each behind a cell of its number.
struct PutAll {
  static constexpr bool kIsCooperative = true;
  CommandRing ring;
  std::uint32_t* given;
  std::uint32_t* cells;
  std::uint32_t count;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    using Words = typename Context::Words;
    for (std::uint32_t i = 0; i < count && at.is_first(); ++i) {
      cells[i] = i + 1;
      const std::uint32_t position = Words::add(given, 1);
      at.template find<bool>([&](unsigned, bool& has_room) {
        has_room = ring.has_room<Words>(position);
        return has_room;
      });
      ring.put<Words>(position, {{i}});
    }
  }
};

}  // namespace kaon::gpu::test

KAON_KERNEL(kaon::gpu::test::ManyToOne);
KAON_KERNEL(kaon::gpu::test::PutAll);
