// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif

namespace kaon::ampi {

/// A handle of an object that the program is given: its address, and in the bits that no address of a program has, a
/// number that differs from those of the objects which were at that address before. So a handle that is used after its
/// object was freed is known even when another one has its memory.
class HandleWord {
 public:
  /// Below are the predefined handles.
  static constexpr std::uintptr_t kFirst = 0x1000;

  static std::uintptr_t make(const void* object, std::uint64_t number) {
    return (reinterpret_cast<std::uintptr_t>(object) & kAddress) | (number << kAddressBits);
  }
  template <class Object>
  static Object* object(std::uintptr_t handle) {
    return reinterpret_cast<Object*>(handle & kAddress);
  }
  /// True if there is memory at this address, so that the object can be asked if it is alive. A pool keeps the memory
  /// of freed objects. Where an address sanitizer takes the pool's place, freed memory must not be read.
  static bool is_readable(const void* object) {
    const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(object) >> kPageBits;
    if (seen_pages_[page % kSeenPages].load(std::memory_order_relaxed) != ~page && !look_at(page)) return false;
#if defined(ASAN_UNPOISON_MEMORY_REGION)
    return __asan_address_is_poisoned(object) == 0;
#else
    return true;
#endif
  }
  /// For objects that are made on any thread. Relaxed: only that numbers differ counts.
  static std::uint64_t next_number() {
    static constinit std::atomic<std::uint64_t> numbers{0};
    return numbers.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  static constexpr int kAddressBits = 48;
  static constexpr std::uintptr_t kAddress = (std::uintptr_t{1} << kAddressBits) - 1;
  static constexpr int kPageBits = 12;
  static constexpr std::size_t kSeenPages = 256;

  /// Asks the system, and notes a page that is there.
  static bool look_at(std::uintptr_t page) noexcept;

  // Of memory that handles led to, by the last digits of its pages' numbers: these, inverted. It may be given back to
  // the system: only what no object ever was in is sure to be known.
  static inline constinit std::array<std::atomic<std::uintptr_t>, kSeenPages> seen_pages_{};
};

/// The first base of objects that MPI handles lead to: a word at the front tells what it is and which handle is in use,
/// so that a handle of another kind, or one that is freed, gives an error of its class instead of a crash. Its memory
/// stays for objects of this kind.
template <std::uint64_t kMagic>
class Handled {
 public:
  /// `owner`: of objects that belong to one rank, its number: others may not use their handles.
  bool is_alive(std::uintptr_t handle, std::uint64_t owner = 0) const {
    return std::atomic_ref(word_).load(std::memory_order_relaxed) == (handle ^ (kMagic + owner));
  }
  /// The program's handle.
  std::uintptr_t handle_word() const { return handle_; }
  /// The program has freed it: using the handle is an error from now on.
  void mark_freed() { set_word(0); }

 protected:
  explicit Handled(std::uint64_t owner = 0) : handle_(HandleWord::make(this, HandleWord::next_number())) {
    set_word(handle_ ^ (kMagic + owner));
  }
  ~Handled() { set_word(0); }  // for who asks later; compilers leave out no atomic store, as they may a plain one here

 private:
  // Relaxed: while one thread asks of a handle that was freed, another may make the next object in that memory. Either
  // word gives the same answer, as it is not that of the freed handle.
  void set_word(std::uint64_t word) { std::atomic_ref(word_).store(word, std::memory_order_relaxed); }

  std::uintptr_t handle_;
  mutable std::uint64_t word_;  // the handle, mixed with the kind and the owner; 0: freed. Set and read as an atomic
};

/// Looks at the word alone: `handle` may be any that is not one of the predefined small numbers.
template <typename Object>
Object* alive_at(const void* handle, std::uint64_t owner = 0) {
  const auto word = reinterpret_cast<std::uintptr_t>(handle);
  if (word % alignof(Object) != 0) return nullptr;
  auto* const object = HandleWord::object<Object>(word);
  return HandleWord::is_readable(object) && object->is_alive(word, owner) ? object : nullptr;
}

}  // namespace kaon::ampi
