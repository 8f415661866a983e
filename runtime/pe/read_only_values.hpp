// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// The values of a program's read-only variables in one process, by numbers that the variables take as they are made,
/// before main: in one order in all processes of one program. Each is set once and read by all threads.
class ReadOnlyValues {
 public:
  /// Returns the number of a variable that is being made.
  static std::uint32_t new_number() noexcept;

  /// Makes room for the values of the variables that exist now.
  ReadOnlyValues();
  ReadOnlyValues(const ReadOnlyValues&) = delete;
  ReadOnlyValues& operator=(const ReadOnlyValues&) = delete;
  ~ReadOnlyValues();

  bool has(std::uint32_t number) const { return number < count_; }
  /// nullptr: it has yet to be set.
  const void* find(std::uint32_t number) const {
    // acquire: pairs with the release of set(), which is of another PE's thread
    return has(number) ? slots_[number].value.load(std::memory_order_acquire) : nullptr;
  }
  /// Takes the value. False: there is one already, which stays. Of one thread at a time.
  bool set(std::uint32_t number, std::unique_ptr<const void, void (*)(const void*)> value);

 private:
  struct Slot {
    std::atomic<const void*> value{nullptr};
    void (*destroy)(const void*) = nullptr;
  };

  std::uint32_t count_;
  std::unique_ptr<Slot[]> slots_;
};

}  // namespace kaon::runtime
