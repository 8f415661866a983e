// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <typeinfo>

#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/resident/entry_context.hpp"

namespace kaon::gpu {

/// What an entry may say of the thread blocks that run it, as a kernel does (kernel.hpp); of several, the largest.
template <class... Entry>
constexpr unsigned most_threads_of_entries() {
  unsigned most = kThreadsOfABlock;
  ((most = most_threads<Entry>() > most ? most_threads<Entry>() : most), ...);
  return most;
}
template <class... Entry>
constexpr unsigned blocks_at_once_of_entries() {
  unsigned most = 1;
  ((most = blocks_at_once<Entry>() > most ? blocks_at_once<Entry>() : most), ...);
  return most;
}

/// The entries that one resident scheduler runs, in the order of their numbers.
template <class... Entry>
struct DeviceEntries {
  static_assert(sizeof...(Entry) <= task::kMostEntries, "a resident scheduler has at most 256 entries");
  static constexpr unsigned kMostThreads = most_threads_of_entries<Entry...>();
  static constexpr unsigned kBlocksAtOnce = blocks_at_once_of_entries<Entry...>();

  /// The number of one; static_assert when it is none of them.
  template <class One>
  static constexpr std::uint32_t number_of() {
    constexpr bool is_one[] = {std::is_same_v<One, Entry>...};
    static_assert((std::is_same_v<One, Entry> || ...), "this entry is not in the DeviceEntries of the scheduler");
    std::uint32_t number = 0;
    while (!is_one[number]) ++number;
    return number;
  }

  /// Runs the one that the command names, by all threads of a block. What it returns: into `values`.
  template <class Context, class Output>
  KAON_DEVICE static void run(const Context& context, const Output& output, const Command& command,
                              std::uint32_t* values) {
    const std::uint32_t number = task::entry_of(command);
    (void)((number == number_of<Entry>() ? (run_one<Entry>(context, output, command, values), true) : false) || ...);
  }
  /// Its name, for people.
  static const char* type_of(std::uint32_t number) {
    const char* const types[] = {typeid(Entry).name()...};
    return number < sizeof...(Entry) ? types[number] : "";
  }

 private:
  template <class One, class Context, class Output>
  KAON_DEVICE static void run_one(const Context& context, const Output& output, const Command& command,
                                  std::uint32_t* values) {
    using Object = typename One::Object;
    Object* object;
    memcpy(&object, &command.words[task::kObject], sizeof object);
    EntryContext<DeviceEntries, Object, Context> at(context, output, object);
    if constexpr (KeptObjects::keeps<Object>())
      run_on<One>(at, output.kept().template copy_of<Object>(at, *object), command, values);
    else if constexpr (is_constant<Object>())
      run_on<One>(at, static_cast<const Object&>(*object), command, values);
    else
      run_on<One>(at, *object, command, values);
  }
  template <class One, class At, class Object>
  KAON_DEVICE static void run_on(At& at, Object& object, const Command& command, std::uint32_t* values) {
    const One entry = read_words<One>(&command.words[task::kArguments]);
    if constexpr (std::is_void_v<decltype(entry(at, object))>) {
      entry(at, object);
    } else {
      const auto value = entry(at, object);
      if (at.is_first()) write_words(values, value);
    }
  }
};

}  // namespace kaon::gpu
