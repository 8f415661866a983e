// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// Two numbers for each part, which are equal while no entry is at them; the object is a warp's or a block's.
template <bool of_warp>
struct Scales {
  static constexpr bool kIsWarpSized = of_warp, kIsLockable = true;
  static constexpr std::uint32_t kParts = 3;
  std::uint32_t left[kParts], right[kParts];
  std::uint32_t unequal[kParts];  // how often an entry has found them so
  std::uint32_t notes[16], count;
  gpu::FlagWord pause;
};

/// Adds one to both, as often as it says, each time by a task.
template <class Scale>
struct Weigh {
  using Object = Scale;
  std::uint32_t left;
  template <class At>
  KAON_DEVICE void operator()(At& at, Scale& self) const {
    if (!at.is_first()) return;
    const std::uint32_t part = at.part();
    if (self.left[part] != self.right[part]) ++self.unequal[part];
    ++self.left[part];
    (void)at.value_of(self.pause);  // the emulation lets others go on here
    ++self.right[part];
    if (left > 1 && part == 0) at.send(at.self(), Weigh{left - 1});
  }
};

template <class Scale>
struct Note16 {
  using Object = Scale;
  std::uint32_t number;
  template <class At>
  KAON_DEVICE void operator()(At& at, Scale& self) const {
    if (at.is_first() && at.part() == 0 && self.count < 16) self.notes[self.count++] = number;
  }
};

/// Before all others, into the notes of another one.
template <class Scale>
struct NoteFirst16 {
  using Object = Scale;
  static constexpr bool kIsUrgent = true;
  std::uint32_t number;
  Scale* notes;
  template <class At>
  KAON_DEVICE void operator()(At& at, Scale&) const {
    if (at.is_first() && notes->count < 16) notes->notes[notes->count++] = number;
  }
};

/// Lets another one of its worker note something here.
template <class Scale>
struct LetNote {
  using Object = Scale;
  gpu::DeviceObject<Scale> other;
  std::uint32_t number;
  template <class At>
  KAON_DEVICE void operator()(At& at, Scale& self) const {
    if (at.is_first()) at.send(other, NoteFirst16<Scale>{number, &self});
  }
};

/// Goes on when its flag has been raised, with a note.
template <class Scale>
struct NoteWhen {
  using Object = Scale;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t number;
  template <class At>
  KAON_DEVICE void operator()(At& at, Scale& self) const {
    if (at.is_first()) at.when(gpu::AwaitedFlag{self.pause, 1, gpu::Scope::system}, 1, Note16<Scale>{number});
  }
};

using BlockScales = Scales<false>;
using WarpScales = Scales<true>;
using ScalesEntries =
    gpu::DeviceEntries<Weigh<BlockScales>, Note16<BlockScales>, NoteWhen<BlockScales>, NoteFirst16<BlockScales>,
                       LetNote<BlockScales>, Weigh<WarpScales>, Note16<WarpScales>, NoteWhen<WarpScales>,
                       NoteFirst16<WarpScales>, LetNote<WarpScales>>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::ScalesEntries);
