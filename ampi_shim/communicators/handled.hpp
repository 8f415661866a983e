// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::ampi {

/// The first base of objects whose address is an MPI handle: a word at the front tells what it is and that it is in
/// use, so that a handle of another kind, or one that is freed, gives an error of its class instead of a crash.
template <std::uint64_t kMagic>
class Handled {
 public:
  bool is_alive(std::uint64_t owner = 0) const { return magic_ == kMagic + owner; }
  /// The program has freed it: using the handle is an error from now on.
  void mark_freed() { magic_ = 0; }

 protected:
  /// `owner`: of objects that belong to one rank, its number, since another rank's may take the memory of a freed one.
  explicit Handled(std::uint64_t owner = 0) : magic_(kMagic + owner) {}
  ~Handled() { static_cast<volatile std::uint64_t&>(magic_) = 0; }  // also after the end, as long as the memory stays

 private:
  std::uint64_t magic_;
};

/// Looks at the word alone: `address` may be any handle that is not one of the predefined small numbers.
template <typename Object>
Object* alive_at(const void* address, std::uint64_t owner = 0) {
  if (reinterpret_cast<std::uintptr_t>(address) % alignof(Object) != 0) return nullptr;
  auto* object = static_cast<Object*>(const_cast<void*>(address));
  return object->is_alive(owner) ? object : nullptr;
}

}  // namespace kaon::ampi
