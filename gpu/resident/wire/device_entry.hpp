// SPDX-License-Identifier: Apache-2.0
#pragma once
// Entries that run on a device, by the resident scheduler. An entry is a struct: its members are the arguments, 32
// bytes at most, its call operator is the body, for all threads of a block, or of a warp.
//
//     struct Step {
//       using Object = Cell;                          // whose entry it is: a struct in the device's memory
//       std::uint32_t round;
//       template <class At>
//       KAON_DEVICE void operator()(At& at, Cell& self) const {
//         for (std::size_t i = at.lane(); i < self.count; i += at.lanes()) self.values[i] += 1;
//         at.sync();
//         if (at.is_first() && round < self.rounds) at.send(self.next, Step{round + 1});
//       }
//     };
//     using CellEntries = kaon::gpu::DeviceEntries<Step>;
//     KAON_DEVICE_ENTRIES(CellEntries);
//
// An Object that says `static constexpr bool kIsWarpSized = true` has its entries run by one warp; `at` is then of that
// warp, as if it were a block. One that says `static constexpr bool kIsConstant = true` does not change after make(),
// and its entries take it as `const Cell&`: workers keep copies of such objects near.
//
// `at` is the context of a kernel (kernel_body.hpp) of one block, and has beside that send(), tell(), self() and
// is_crowded(); see EntryContext. Entries of one object never run at once, and run in the order in which one sender
// sent them; those that say `static constexpr bool kIsUrgent = true` go before others. Those that go on by at.when()
// say `static constexpr bool kAwaitsFlags = true`: who looks for no flags runs what is sent sooner. What an entry
// returns goes to who called it.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kaon/gpu/resident/wire/commands.hpp"

namespace kaon::gpu {

/// An object on a device: its memory there, and the workers that run its entries: one, or all of a gang.
template <class Object>
struct DeviceObject {
  Object* object = nullptr;
  std::uint32_t workers = 0;    // task::workers()
  std::uint32_t scheduler = 0;  // whose it is: see namespace owner

  /// It travels to other PEs, for those whose schedulers are connected with its own (ResidentLink).
  template <class Archive>
  void pup(Archive& archive) {
    auto address = reinterpret_cast<std::uint64_t>(object);
    archive(address, workers, scheduler);
    object = reinterpret_cast<Object*>(address);
  }
};

/// A function of the host that entries may tell something: Resident::on_host() makes it.
template <class... Values>
struct HostTarget {
  std::uint32_t number = 0;
};

/// A type whose bytes travel as they are, in a command.
template <class Value>
concept FitsCommand = std::is_trivially_copyable_v<Value> && sizeof(Value) <= kMostArgumentBytes;

/// A struct as part of a command, and back.
template <class Value>
KAON_DEVICE void write_words(std::uint32_t* words, const Value& value) {
  static_assert(FitsCommand<Value>,
                "what an entry of a device is given or returns is trivially copyable, and 32 bytes "
                "at most: put more into the memory of the object");
  memcpy(words, &value, sizeof value);
}
template <class Value>
KAON_DEVICE Value read_words(const std::uint32_t* words) {
  static_assert(FitsCommand<Value>);
  alignas(Value) unsigned char bytes[sizeof(Value)];
  memcpy(bytes, words, sizeof(Value));
  return *reinterpret_cast<const Value*>(bytes);
}

/// Values that one target gets, one behind the other.
template <class Value>
KAON_DEVICE void write_value(std::uint32_t*& words, const Value& value) {
  write_words(words, value);
  words += (sizeof(Value) + 3) / 4;
}
template <class Value>
KAON_DEVICE Value read_value(const std::uint32_t*& words) {
  const Value value = read_words<Value>(words);
  words += (sizeof(Value) + 3) / 4;
  return value;
}
template <class... Values>
inline constexpr std::size_t kWordsOf = (std::size_t{0} + ... + ((sizeof(Values) + 3) / 4));

/// Says so when an entry is none, or none of such an object.
template <class Object, class Entry>
KAON_DEVICE constexpr void check_entry() {
  constexpr bool is_entry = requires { typename Entry::Object; };
  static_assert(is_entry, "an entry of a device names the struct whose entry it is: using Object = ...");
  if constexpr (is_entry)
    static_assert(std::is_same_v<Object, typename Entry::Object>,
                  "send(object, entry): this is an entry of another class of objects");
}

/// An entry of an object, without an answer.
template <class Object, class Entry>
KAON_DEVICE EntryCommand task_of(std::uint32_t number, const DeviceObject<Object>& to, const Entry& entry) {
  EntryCommand task{{number | to.workers}, WireAddress<void>::of(to.object)};
  write_words(task.arguments, entry);
  return task;
}

}  // namespace kaon::gpu
