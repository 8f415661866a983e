// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/unwinding.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "kaon/ampi_shim/program/interposition.hpp"

// The unwinder of gcc asks the dynamic linker, by _dl_find_object, which table belongs to an address of code. As
// symbols of the executable come before those of libraries, it asks us, and we know images besides. Registering each
// image instead
// (__register_frame) would cost memory for every function of every image, and a search through all of them.
namespace kaon::ampi {
namespace {

// One list for the process: the unwinder's question has no context.
struct Ranges {
  std::shared_mutex mutex;
  std::vector<ImageRange> list;
};

Ranges& ranges() {
  static auto* all = new Ranges;  // never destroyed: exceptions may be thrown while the process ends
  return *all;
}

struct Found {
  std::byte* image;
  std::size_t stride;
  std::size_t table;
};

std::optional<Found> find(const void* address) noexcept {
  const auto* at = static_cast<const std::byte*>(address);
  Ranges& all = ranges();
  const std::shared_lock lock(all.mutex);
  for (const auto& range : all.list) {
    if (at < range.first || at >= range.start + range.bytes) continue;
    const auto number = static_cast<std::size_t>(at - range.first) / range.stride;
    return Found{range.first + number * range.stride, range.stride, range.table};
  }
  return std::nullopt;
}

}  // namespace

void remember_images(const ImageRange& range) {
  const std::lock_guard lock(ranges().mutex);
  ranges().list.push_back(range);
}

void forget_images(const std::byte* start) noexcept {
  const std::lock_guard lock(ranges().mutex);
  std::erase_if(ranges().list, [start](const ImageRange& each) { return each.start == start; });
}

bool sees_exceptions() { return dlsym(RTLD_DEFAULT, "_dl_find_object") == reinterpret_cast<void*>(&_dl_find_object); }

std::byte* find_image(const void* address) noexcept {
  const auto found = find(address);
  return found ? found->image : nullptr;
}

}  // namespace kaon::ampi

extern "C" __attribute__((visibility("default"))) int _dl_find_object(void* address, dl_find_object* result) noexcept {
  using Function = int (*)(void*, dl_find_object*);
  if (const auto found = kaon::ampi::find(address); found && found->table != 0) {
    *result = {};
    result->dlfo_map_start = found->image;
    result->dlfo_map_end = found->image + found->stride;
    result->dlfo_eh_frame = found->image + found->table;
    return 0;
  }
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "_dl_find_object"));
  return next(address, result);
}
