// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace kaon::ampi {

/// Memory of the objects that handles of one kind lead to. It is never given back to the heap: a program may ask of a
/// handle that it has freed, and reads there that the object is gone instead of what the heap made of it.
template <class Object>
class HandleMemory {
 public:
  void* allocate() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) refill();
    void* memory = free_.back();
    free_.pop_back();
    return memory;
  }

  void release(void* memory) noexcept {
    const std::lock_guard lock(mutex_);
    free_.push_back(memory);  // has room for all: see refill
  }

 private:
  static constexpr std::size_t kObjects = 64;  // of a chunk
  struct alignas(alignof(Object)) Room {
    std::byte bytes[sizeof(Object)];
  };

  void refill() {
    free_.reserve((chunks_.size() + 1) * kObjects);
    chunks_.push_back(std::make_unique<Room[]>(kObjects));
    for (std::size_t i = 0; i < kObjects; ++i) free_.push_back(&chunks_.back()[i]);
  }

  std::mutex mutex_;  // objects end on the thread of whoever uses them last
  std::vector<void*> free_;
  std::vector<std::unique_ptr<Room[]>> chunks_;
};

}  // namespace kaon::ampi
