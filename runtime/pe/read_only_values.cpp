// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/read_only_values.hpp"

namespace kaon::runtime {
namespace {

std::atomic<std::uint32_t> made{0};

}  // namespace

std::uint32_t ReadOnlyValues::new_number() noexcept { return made.fetch_add(1, std::memory_order_relaxed); }

ReadOnlyValues::ReadOnlyValues() : count_(made.load(std::memory_order_relaxed)), slots_(new Slot[count_]) {}

ReadOnlyValues::~ReadOnlyValues() {
  for (std::uint32_t number = 0; number < count_; ++number) {
    const Slot& slot = slots_[number];
    if (const void* const value = slot.value.load(std::memory_order_relaxed)) slot.destroy(value);
  }
}

bool ReadOnlyValues::set(std::uint32_t number, std::unique_ptr<const void, void (*)(const void*)> value) {
  Slot& slot = slots_[number];
  if (slot.value.load(std::memory_order_relaxed) != nullptr) return false;
  slot.destroy = value.get_deleter();
  // release: a reader on another PE of the process sees the value whole
  slot.value.store(value.release(), std::memory_order_release);
  return true;
}

}  // namespace kaon::runtime
