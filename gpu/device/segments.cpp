// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/segments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

/// Why the bytes are not in a buffer of the device; empty: they are.
std::string why_no_buffer(Device& device, const Region* region, const void* memory, std::size_t bytes) {
  if (memory == nullptr) return "there is no memory: the buffer is empty, or was moved from";
  if (region == nullptr) return "this is memory of the host, or was not allocated as a gpu::Buffer";
  if (region->device != device.number())
    return fmt::format("the memory is on device {}, this PE uses device {}", region->device, device.number());
  if (region->arena == nullptr) return "this is registered memory, and only a gpu::Buffer can be shared";
  const bool is_buffer = device.memory().pool().find_own(*region, memory, bytes) != nullptr ||
                         Memory::is_live_elsewhere(*region, memory, device.memory().pool());
  return is_buffer ? "" : "it is no longer a buffer: it was freed, or is longer than its buffer";
}

[[noreturn]] void throw_out_of_reach(const Device& device, const SegmentRange& range, std::string_view why) {
  throw GpuError(fmt::format(
      "{} bytes that process {} shares are out of reach of device {}: {}. Send them as a kaon::Payload, which "
      "goes through the host where it must",
      range.bytes(), range.process(), device.number(), why));
}

}  // namespace

Segments::~Segments() {
  for (const auto& [import, memory] : imports_) driver_.close_imported(memory);
}

// The buffer is somebody's, so its slab is there, and noting the export keeps it.
SegmentRange Segments::share(Device& device, const void* memory, std::size_t bytes) {
  Region* const region = device.regions().find(memory);
  if (const std::string why = why_no_buffer(device, region, memory, bytes); !why.empty())
    throw UsageError(fmt::format("{} bytes cannot be shared: {}", bytes, why));
  region->arena->note_export(*region, bytes);
  SegmentRange range;
  range.process_ = device.pe().process().seat().process;
  range.device_ = region->device;
  range.exported_ = export_of(*region);
  range.offset_ = static_cast<std::uint64_t>(static_cast<const std::byte*>(memory) - region->base);
  range.bytes_ = bytes;
  range.address_ = reinterpret_cast<std::uintptr_t>(memory);
  return range;
}

const std::vector<std::byte>& Segments::export_of(const Region& region) {
  const std::lock_guard hold(lock_);
  const auto [known, is_new] = exports_.try_emplace(region.base);
  if (is_new) known->second = driver_.export_memory(region.device, region.base);
  return known->second;
}

SlabPlace Segments::place_of(Device& device, const Region& region) {
  const std::vector<std::byte>& exported = export_of(region);
  SlabPlace place;
  if (exported.size() > place.exported.size()) return place;
  place.process = device.pe().process().seat().process;
  place.device = region.device;
  place.bytes = static_cast<std::uint32_t>(exported.size());
  std::copy(exported.begin(), exported.end(), place.exported.begin());
  return place;
}

std::byte* Segments::open(Device& device, const SlabPlace& slab) {
  SegmentRange range;
  range.process_ = slab.process;
  range.device_ = slab.device;
  range.exported_.assign(slab.exported.begin(),
                         slab.exported.begin() + std::min<std::size_t>(slab.bytes, slab.kMostBytes));
  return static_cast<std::byte*>(open(device, range));
}

void* Segments::open(Device& device, const SegmentRange& range) {
  const Process& process = device.pe().process();
  if (range.process_ < 0 || range.process_ >= process.roster().processes())
    throw UsageError("a gpu::SegmentRange is opened that nobody has shared: give what share_segment() returned");
  return range.process_ == process.seat().process ? open_here(device, range) : import(device, range);
}

bool Segments::is_live(Device& device, const SegmentRange& range) const {
  if (range.process_ != device.pe().process().seat().process) return true;
  const auto* const memory = reinterpret_cast<const std::byte*>(static_cast<std::uintptr_t>(range.address_));
  const Region* const region = device.regions().find(memory);
  if (region == nullptr || region->arena == nullptr) return false;
  return device.memory().pool().find_own(*region, memory, range.bytes_) != nullptr ||
         Memory::is_live_elsewhere(*region, memory, device.memory().pool());
}

std::byte* Segments::open_here(Device& device, const SegmentRange& range) {
  if (!driver_.enable_peer(device.number(), range.device_))
    throw_out_of_reach(
        device, range,
        fmt::format("they lie on device {}, and there is no peer access between the two", range.device_));
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(range.address_));
}

std::byte* Segments::import(Device& device, const SegmentRange& range) {
  const Roster& roster = device.pe().process().roster();
  if (roster.host_of(device.pe().id()) != roster.host_of(roster.first_pe(range.process_)))
    throw_out_of_reach(device, range, "that process is on another host");
  if (range.exported_.empty())
    throw_out_of_reach(device, range, "its driver lets other processes map no device memory");
  const std::lock_guard hold(lock_);
  Import wanted(device.number(), range.exported_);
  auto known = imports_.find(wanted);
  if (known == imports_.end()) {
    const std::optional<ImportedMemory> memory = driver_.import_memory(device.number(), range.exported_);
    if (!memory)
      throw_out_of_reach(device, range,
                         "there is no peer access between the devices, or the processes run in containers or as users "
                         "that may not map each other's device memory");
    known = imports_.emplace(std::move(wanted), *memory).first;
  }
  return static_cast<std::byte*>(known->second.address) + range.offset_;
}

}  // namespace kaon::gpu
