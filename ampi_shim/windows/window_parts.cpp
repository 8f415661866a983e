// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/window_parts.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <unordered_map>

namespace kaon::ampi {
namespace {

std::size_t rounded_up(std::size_t bytes, std::size_t alignment) { return (bytes + alignment - 1) & ~(alignment - 1); }

/// The windows of this process. Ranks of several PEs make theirs at once.
struct PartsRegistry {
  std::mutex mutex;
  std::unordered_map<Context, std::weak_ptr<const WindowParts>> all;
};

PartsRegistry& parts_registry() {
  static auto& registry = *new PartsRegistry;  // ranks may end later than static objects
  return registry;
}

}  // namespace

WindowParts::Shared WindowParts::find_or_make(Context window,
                                              const std::function<std::unique_ptr<WindowParts>()>& make) {
  PartsRegistry& registry = parts_registry();
  const std::lock_guard lock(registry.mutex);
  std::erase_if(registry.all, [](const auto& each) { return each.second.expired(); });
  std::weak_ptr<const WindowParts>& known = registry.all[window];
  if (Shared found = known.lock()) return found;
  Shared made = make();
  known = made;
  return made;
}

SegmentPlan::SegmentPlan(const std::vector<PartOffer>& offers, std::uint64_t host, bool is_packed,
                         std::size_t alignment) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kMost = std::size_t{1} << 60;  // which no machine has: making the segment fails
  for (std::size_t i = 0; i < offers.size(); ++i)
    if (offers[i].host == host) members.push_back(static_cast<int>(i));
  bytes = rounded_up(members.size() * sizeof(PartControl), std::max(kPage, alignment));
  for (const int member : members) {
    if (!is_packed) bytes = std::min(kMost, rounded_up(bytes, alignment));
    offsets.push_back(bytes);
    const auto size = static_cast<std::size_t>(offers[static_cast<std::size_t>(member)].size);
    bytes = size < kMost - bytes ? bytes + size : kMost;
  }
}

WindowParts::WindowParts(const std::vector<PartOffer>& offers, const std::function<bool(int)>& is_local) {
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const PartOffer& offer = offers[i];
    WindowPart part{nullptr, nullptr, offer.size, offer.unit, false};
    if (is_local(static_cast<int>(i))) {
      part.base = reinterpret_cast<std::byte*>(offer.base);
      part.control = reinterpret_cast<PartControl*>(offer.control);
      part.is_direct = offer.is_reachable != 0;
    }
    parts_.push_back(part);
  }
}

// Zeros are a control at rest: whoever maps the segment first need not write it.
WindowParts::WindowParts(const std::vector<PartOffer>& offers, const SegmentPlan& plan, const std::string& path) {
  segment_.emplace(path, plan.bytes);
  for (const PartOffer& offer : offers) parts_.push_back({nullptr, nullptr, offer.size, offer.unit, false});
  auto* const controls = reinterpret_cast<PartControl*>(segment_->data());
  for (std::size_t i = 0; i < plan.members.size(); ++i) {
    WindowPart& part = parts_[static_cast<std::size_t>(plan.members[i])];
    part.base = segment_->data() + plan.offsets[i];
    part.control = controls + i;
    part.is_direct = true;
  }
}

}  // namespace kaon::ampi
