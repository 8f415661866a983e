// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/region.hpp"

#include <algorithm>
#include <utility>

namespace kaon::gpu {
namespace {

bool is_before(const std::byte* byte, const std::shared_ptr<Region>& region) { return byte < region->base; }

}  // namespace

void RegionTable::add(std::shared_ptr<Region> region) {
  const std::lock_guard hold(lock_);
  List list = *list_;
  list.insert(std::upper_bound(list.begin(), list.end(), region->base, is_before), std::move(region));
  replace(std::move(list));
}

void RegionTable::remove(const Region& region) {
  const std::lock_guard hold(lock_);
  List list = *list_;
  std::erase_if(list, [&](const auto& each) { return each.get() == &region; });
  replace(std::move(list));
}

void RegionTable::keep_for_good(std::shared_ptr<Region> region) {
  const std::lock_guard hold(lock_);
  kept_.push_back(std::move(region));
}

void RegionTable::replace(List list) {
  list_ = std::make_shared<const List>(std::move(list));
  version_.fetch_add(1, std::memory_order_release);
}

Region* RegionView::find(const void* pointer) {
  if (const std::uint64_t latest = table_.version_.load(std::memory_order_acquire);
      list_ == nullptr || latest != version_) {
    const std::lock_guard hold(table_.lock_);
    list_ = table_.list_;
    version_ = table_.version_.load(std::memory_order_relaxed);  // it changes under the lock
  }
  const auto* byte = static_cast<const std::byte*>(pointer);
  auto above = std::upper_bound(list_->begin(), list_->end(), byte, is_before);
  while (above != list_->begin())  // memory of a slab may be registered too: the inner region is asked first
    if (Region* region = (--above)->get(); region->holds(pointer, 1)) return region;
  return nullptr;
}

}  // namespace kaon::gpu
