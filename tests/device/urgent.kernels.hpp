// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// Numbers in the order in which they came; a warp's or a block's.
template <bool of_warp>
struct Notebook {
  static constexpr bool kIsWarpSized = of_warp;
  std::uint32_t count;
  std::uint32_t numbers[63];
  gpu::FlagWord gate;
  gpu::DeviceObject<Notebook> other;

  KAON_DEVICE void note(std::uint32_t number) {
    if (count < 63) numbers[count] = number;
    ++count;
  }
};

template <class Book>
struct Note {
  using Object = Book;
  std::uint32_t number;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book& self) const {
    if (at.part() == 0 && at.is_first()) self.note(number);
  }
};
template <class Book>
struct NoteFirst {
  using Object = Book;
  static constexpr bool kIsUrgent = true;
  std::uint32_t number;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book& self) const {
    if (at.part() == 0 && at.is_first()) self.note(number);
  }
};

/// So many notes, and some that go before them, to its own notebook.
template <class Book>
struct SendNotes {
  using Object = Book;
  std::uint32_t count, urgent;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book&) const {
    if (at.part() != 0 || !at.is_first()) return;
    for (std::uint32_t i = 0; i < count; ++i) at.send(at.self(), Note<Book>{i});
    for (std::uint32_t i = 0; i < urgent; ++i) at.send(at.self(), NoteFirst<Book>{1000 + i});
  }
};

/// Holds its worker until the gate is open.
template <class Book>
struct Hold {
  using Object = Book;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book& self) const {
    if (at.is_first()) at.wait_for(self.gate, 1);
  }
};
template <class Book>
struct Open {
  using Object = Book;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book& self) const {
    if (at.is_first()) at.raise(self.gate);
  }
};

/// The same, before all others, when the host has written how far.
template <class Book>
struct OpenFirst {
  using Object = Book;
  static constexpr bool kIsUrgent = true;
  const std::uint32_t* by;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book& self) const {
    if (at.is_first()) at.raise(self.gate, *by);
  }
};

/// The same to the other one.
template <class Book>
struct SendNotesFar {
  using Object = Book;
  std::uint32_t count, urgent;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book& self) const {
    if (at.part() != 0 || !at.is_first()) return;
    for (std::uint32_t i = 0; i < count; ++i) at.send(self.other, Note<Book>{i});
    for (std::uint32_t i = 0; i < urgent; ++i) at.send(self.other, NoteFirst<Book>{1000 + i});
  }
};

/// A note to one of them, before all others.
template <class Book>
struct NoteFarFirst {
  using Object = Book;
  static constexpr bool kIsUrgent = true;
  gpu::DeviceObject<Book> to;
  std::uint32_t number;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book&) const {
    if (at.is_first()) at.send(to, Note<Book>{number});
  }
};

/// Two more of itself until `depth` is 0, here and there.
template <class Book>
struct Spring {
  using Object = Book;
  static constexpr bool kIsUrgent = true;
  std::uint32_t depth;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book& self) const {
    if (!at.is_first()) return;
    self.note(depth);
    if (depth == 0) return;
    at.send(self.other, Spring{depth - 1});
    at.send(at.self(), Spring{depth - 1});
  }
};

template <class Book>
struct SetOther {
  using Object = Book;
  gpu::DeviceObject<Book> other;
  template <class At>
  KAON_DEVICE void operator()(At& at, Book& self) const {
    if (at.is_first()) self.other = other;
  }
};

struct PageOfNotes {
  std::uint32_t count, numbers[7];
};
template <class Book>
struct ReadNotes {
  using Object = Book;
  std::uint32_t first;
  template <class At>
  KAON_DEVICE PageOfNotes operator()(At& at, Book& self) const {
    if (at.part() != 0) return {};  // the first part takes notes, at its own pace
    PageOfNotes page{self.count, {}};
    for (std::uint32_t i = 0; i < 7; ++i) page.numbers[i] = self.numbers[first + i];
    return page;
  }
};

using BlockBook = Notebook<false>;
using WarpBook = Notebook<true>;
using BookEntries =
    gpu::DeviceEntries<Note<BlockBook>, NoteFirst<BlockBook>, SendNotes<BlockBook>, Hold<BlockBook>, Open<BlockBook>,
                       OpenFirst<BlockBook>, Spring<BlockBook>, SetOther<BlockBook>, ReadNotes<BlockBook>,
                       Note<WarpBook>, NoteFirst<WarpBook>, SendNotes<WarpBook>, Hold<WarpBook>, Open<WarpBook>,
                       OpenFirst<WarpBook>, Spring<WarpBook>, SetOther<WarpBook>, ReadNotes<WarpBook>>;

using FarBookEntries =
    gpu::DeviceEntriesWithPeers<Note<BlockBook>, NoteFirst<BlockBook>, SendNotesFar<BlockBook>, NoteFarFirst<BlockBook>,
                                Hold<BlockBook>, Open<BlockBook>, SetOther<BlockBook>, ReadNotes<BlockBook>,
                                Note<WarpBook>, NoteFirst<WarpBook>, SendNotesFar<WarpBook>, NoteFarFirst<WarpBook>,
                                Hold<WarpBook>, Open<WarpBook>, SetOther<WarpBook>, ReadNotes<WarpBook>>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::BookEntries);
KAON_DEVICE_ENTRIES(kaon::testing::FarBookEntries);
