// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/shared_flags.hpp"

#include <algorithm>
#include <atomic>

namespace kaon::gpu {
namespace {

constexpr SharedPurpose kFlagPages{
    "kaon-flags", "for flags of channels", "in which another process of this host waits for flags of channels",
    "make fewer channels that the host drives", "let channels stage: --transport staged"};

}  // namespace

SharedFlagPlace SharedFlags::take() {
  const std::lock_guard hold(lock_);
  if (!free_.empty()) {
    const SharedFlagPlace place = free_.back();
    free_.pop_back();
    return place;
  }
  if (newest_ == nullptr || taken_ == kFlags) {
    newest_ = pages_.emplace_back(std::make_unique<SharedMapping>(driver_, kFlagPages, kFlags * kLine)).get();
    taken_ = 0;
  }
  return {newest_->address(), taken_++};
}

void SharedFlags::give_back(const SharedFlagPlace& place) {
  std::atomic_ref<std::uint32_t>(*open(place)).store(0, std::memory_order_relaxed);
  const std::lock_guard hold(lock_);
  free_.push_back(place);
}

std::uint32_t* SharedFlags::open(const SharedFlagPlace& place) {
  const std::lock_guard hold(lock_);
  return reinterpret_cast<std::uint32_t*>(page_of(place.page).data() + place.number % kFlags * kLine);
}

SharedMapping& SharedFlags::page_of(SharedMapping::Address address) {
  const auto known =
      std::find_if(pages_.begin(), pages_.end(), [&](const auto& page) { return page->address() == address; });
  if (known != pages_.end()) return **known;
  return *pages_.emplace_back(std::make_unique<SharedMapping>(driver_, kFlagPages, kFlags * kLine, address));
}

}  // namespace kaon::gpu
