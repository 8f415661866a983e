// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/backends/driver.hpp"

namespace kaon::gpu {

/// The purpose of a SharedMapping, in the words of errors.
struct SharedPurpose {
  const char* name;           // of the memory, for the operating system
  const char* to;             // "to stage device memory in"
  const char* has;            // "in which a process of this host stages device memory"
  const char* without;        // what to do where there is no memory
  const char* where_unknown;  // what else to do where it cannot be opened
  bool is_pinned = true;      // devices reach it
};

/// Memory of the host that processes of one host share, pinned as a rule, zeros at first. Behind a descriptor without a
/// name, so that a process that was killed leaves nothing behind.
class SharedMapping {
 public:
  /// Where other processes of the host find it: a descriptor of a process.
  struct Address {
    std::int32_t process = 0;
    std::int32_t descriptor = -1;
    friend bool operator==(const Address&, const Address&) = default;
    template <class Archive>
    void pup(Archive& archive) {
      archive(process, descriptor);
    }
  };

  /// Makes it. Throws OutOfMemory.
  SharedMapping(Driver& driver, const SharedPurpose& purpose, std::size_t bytes);
  /// Opens that of another process. Throws UsageError when this process may not.
  SharedMapping(Driver& driver, const SharedPurpose& purpose, std::size_t bytes, Address address);
  SharedMapping(const SharedMapping&) = delete;
  SharedMapping& operator=(const SharedMapping&) = delete;
  /// No device uses it any more.
  ~SharedMapping();

  Address address() const { return address_; }
  std::byte* data() const { return memory_; }

 private:
  struct Unmapped {};
  SharedMapping(Driver& driver, const SharedPurpose& purpose, std::size_t bytes, Unmapped)
      : driver_(driver), purpose_(purpose), bytes_(bytes) {}
  void map(int descriptor);
  [[noreturn]] void throw_no_memory(const char* why) const;

  Driver& driver_;
  const SharedPurpose& purpose_;
  std::size_t bytes_;
  Address address_;
  int own_descriptor_ = -1;  // of the maker, kept for those who open it
  std::byte* memory_ = nullptr;
  bool is_pinned_ = false;
};

}  // namespace kaon::gpu
