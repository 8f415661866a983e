// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <typeinfo>

#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/resident/device/entry_context.hpp"
#include "kaon/gpu/resident/wire/entry_traits.hpp"

namespace kaon::gpu {

/// By whom a scheduler is used beside the PE that has it: schedulers of other PEs, other PEs of its process. Looking
/// for what these send takes time and registers.
namespace entry_use {
inline constexpr unsigned kOfOnePe = 0, kWithPeers = 1, kWithGuests = 2;
}  // namespace entry_use

/// The entries that one resident scheduler runs, in the order of their numbers: DeviceEntries<...> or, when they are to
/// send to objects of other PEs' schedulers, DeviceEntriesWithPeers<...>, or, when PEs of a process share the
/// scheduler, DeviceEntriesWithGuests<...>.
template <unsigned use, class... Entry>
struct EntryList {
  static constexpr bool kHavePeers = (use & entry_use::kWithPeers) != 0;
  static constexpr bool kHaveGuests = (use & entry_use::kWithGuests) != 0;
  static constexpr bool kHaveUrgent = (is_urgent<Entry>() || ...);
  static constexpr bool kHaveAwaiting = (awaits_flags<Entry>() || ...);
  static constexpr bool kHaveLockable = (is_lockable<typename Entry::Object>() || ...);
  static constexpr bool kHaveWarps = (is_warp_sized<typename Entry::Object>() || ...);
  static_assert(sizeof...(Entry) <= task::kMostEntries, "a resident scheduler has at most 254 entries");
  /// The properties that entries declare for their thread blocks, as kernels do (kernel.hpp); the largest counts.
  static constexpr unsigned kMostThreads = std::max({kThreadsOfABlock, most_threads<Entry>()...});
  static constexpr unsigned kBlocksAtOnce = std::max({1U, blocks_at_once<Entry>()...});

  /// The number of one; static_assert when it is none of them.
  template <class One>
  static constexpr std::uint32_t number_of() {
    constexpr bool is_one[] = {std::is_same_v<One, Entry>...};
    static_assert((std::is_same_v<One, Entry> || ...), "this entry is not in the DeviceEntries of the scheduler");
    std::uint32_t number = 0;
    while (!is_one[number]) ++number;
    return number;
  }

  /// Runs the one that the command names, by all threads of a block, or of a warp. What it returns: into `values`.
  template <class Context, class Output>
  KAON_DEVICE static void run(const Context& context, const Output& output, const Command& command,
                              std::uint32_t* values) {
    const std::uint32_t number = head_of(command).entry();
    (void)((is_of<Entry, Context>() && number == number_of<Entry>()
                ? (run_one<Entry>(context, output, command, values), true)
                : false) ||
           ...);
  }
  /// True if tasks of this entry go before others.
  KAON_DEVICE static constexpr bool is_urgent_one(std::uint32_t number) {
    return ((is_urgent<Entry>() && number == number_of<Entry>()) || ...);
  }
  /// Its name, and that of the objects whose it is, for people.
  static const char* type_of(std::uint32_t number) {
    const char* const types[] = {typeid(Entry).name()...};
    return number < sizeof...(Entry) ? types[number] : "";
  }
  static const char* object_of(std::uint32_t number) {
    const char* const types[] = {typeid(typename Entry::Object).name()...};
    return number < sizeof...(Entry) ? types[number] : "";
  }

 private:
  template <class One, class Context>
  static constexpr bool is_of() {
    return is_warp_sized<typename One::Object>() == Context::kIsWarp;
  }
  template <class One, class Context, class Output>
  KAON_DEVICE static void run_one(const Context& context, const Output& output, const Command& command,
                                  std::uint32_t* values) {
    using Object = typename One::Object;
    auto* const object = static_cast<Object*>(command_as<EntryCommand>(command).object.get());
    EntryContext<EntryList, Object, Context> at(context, output, object);
    if constexpr (KeptObjects::keeps<Object>() && !Context::kIsWarp)
      run_on<One>(at, output.kept().template copy_of<Object>(at, *object), command, values);
    else if constexpr (is_constant<Object>())
      run_on<One>(at, static_cast<const Object&>(*object), command, values);
    else
      run_on<One>(at, *object, command, values);
  }
  template <class One, class At, class Object>
  KAON_DEVICE static void run_on(At& at, Object& object, const Command& command, std::uint32_t* values) {
    // not std::is_invocable: for HIP's compiler that asks on behalf of the host, which calls no function of a device
    constexpr bool takes_object = requires(const One& entry) { entry(at, object); };
    static_assert(takes_object,
                  "the call operator of an entry of a device is const and takes (At& at, Object& self), of an object "
                  "that is kIsConstant (At& at, const Object& self)");
    if constexpr (takes_object) {
      const One entry = read_words<One>(command_as<EntryCommand>(command).arguments);
      if constexpr (std::is_void_v<decltype(entry(at, object))>) {
        entry(at, object);
      } else {
        const auto value = entry(at, object);
        if (at.is_first()) write_words(values, value);
      }
    }
  }
};

template <class... Entry>
using DeviceEntries = EntryList<entry_use::kOfOnePe, Entry...>;
template <class... Entry>
using DeviceEntriesWithPeers = EntryList<entry_use::kWithPeers, Entry...>;
template <class... Entry>
using DeviceEntriesWithGuests = EntryList<entry_use::kWithGuests, Entry...>;
template <class... Entry>
using DeviceEntriesWithPeersAndGuests = EntryList<entry_use::kWithPeers | entry_use::kWithGuests, Entry...>;

}  // namespace kaon::gpu
