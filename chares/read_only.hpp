// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kaon/chares/runtime.hpp"
#include "kaon/chares/waits/question.hpp"
#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/pe/read_only_values.hpp"

namespace kaon::chares {

struct ReadOnlyValue;  // shown by a compiler with the sentence on a type that cannot be serialized

namespace read_only {

/// Throws UsageError when it is too late to set it, or the variable has none for a reason that it says.
void check_setting(Pe& pe, std::uint32_t number);
[[noreturn]] void throw_set_twice();
[[noreturn]] void throw_unset();

/// In the process of the calling PE; nullptr: it has yet to be set, or this thread is no PE's.
const void* find(std::uint32_t number) noexcept;
/// False: it was set already.
bool set(Pe& pe, std::uint32_t number, std::unique_ptr<const void, void (*)(const void*)> value);
/// One PE of each process.
std::vector<PeId> first_pes(Pe& pe);

template <class T>
bool take(Pe& pe, std::uint32_t number, T value) {
  return set(pe, number, {new T(std::move(value)), [](const void* old) { delete static_cast<const T*>(old); }});
}

}  // namespace read_only

/// A variable at namespace scope that main sets once, before it makes anything, and all read from then on, on every PE
/// of every process, without a message:
///
///   kaon::ReadOnly<Options> options;                      // in a file of the program
///   co_await options.set(runtime, std::move(parsed));     // first thing in the main task
///   ... options->steps ...                                // anywhere
template <class T>
class ReadOnly {
 public:
  ReadOnly() : number_(ReadOnlyValues::new_number()) {}
  ReadOnly(const ReadOnly&) = delete;
  ReadOnly& operator=(const ReadOnly&) = delete;

  /// `co_await` ends when each process has the value. Throws UsageError when it is set already, when anything has been
  /// made before, and for a variable that was made during the run.
  [[nodiscard]] Task<> set(Runtime runtime, T value) const {
    static_assert(require_received<T, ReadOnlyValue>());
    static_assert(std::is_copy_constructible_v<T>, "ReadOnly<T>: each process gets a copy of the value");
    return spread(runtime.pe_, number_, std::move(value));
  }

  /// Throws UsageError before it is set, and on a thread that is no PE.
  const T& get() const {
    const void* const value = read_only::find(number_);
    if (value == nullptr) [[unlikely]]
      read_only::throw_unset();
    return *static_cast<const T*>(value);
  }
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }

 private:
  static Task<> spread(Pe& pe, std::uint32_t number, T value) {
    read_only::check_setting(pe, number);
    const std::vector<PeId> all = read_only::first_pes(pe);
    for (const PeId to : all) {
      const bool is_first = co_await Question<&read_only::take<T>>::ask(pe, to, number, value);
      if (!is_first) read_only::throw_set_twice();
    }
  }

  std::uint32_t number_;
};

}  // namespace kaon::chares
