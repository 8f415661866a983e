// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::gpu {

/// A kernel of this program, in a list that is complete before main(): a device loads all of them when it starts,
/// because one that is loaded at its first launch may wait for a kernel that runs.
class KernelRecord {
 public:
  /// `function` is what the vendor's library launches. Records live as long as the program.
  explicit KernelRecord(const void* function) : function_(function), next_(first_) { first_ = this; }
  KernelRecord(const KernelRecord&) = delete;
  KernelRecord& operator=(const KernelRecord&) = delete;

  static const KernelRecord* first() { return first_; }
  const KernelRecord* next() const { return next_; }
  const void* function() const { return function_; }

 private:
  inline static constinit const KernelRecord* first_ = nullptr;
  const void* function_;
  const KernelRecord* next_;
};

}  // namespace kaon::gpu
