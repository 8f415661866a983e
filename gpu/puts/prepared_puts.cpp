// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/prepared_puts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

/// Numbers of the puts, by the addresses that `address_of` gives.
template <class AddressOf>
std::vector<std::size_t> sorted(std::span<const PutPlaces> puts, AddressOf address_of) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < puts.size(); ++i)
    if (address_of(puts[i]) != nullptr) order.push_back(i);
  const std::less<const void*> before;
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return before(address_of(puts[one]), address_of(puts[other])); });
  return order;
}

void refuse_shared_targets(std::span<const PutPlaces> puts) {
  const std::vector<std::size_t> order =
      sorted(puts, [](const PutPlaces& put) { return put.bytes > 0 ? put.to : nullptr; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const PutPlaces& before = puts[order[i - 1]];
    if (before.to + before.bytes > puts[order[i]].to)
      throw UsageError(
          fmt::format("the targets of puts {} and {} of a list overlap, so that either may overwrite the other: give "
                      "each a range of its own, or prepare two lists",
                      std::min(order[i - 1], order[i]), std::max(order[i - 1], order[i])));
  }
}

void refuse_shared_flags(std::span<const PutPlaces> puts) {
  const std::vector<std::size_t> order = sorted(puts, [](const PutPlaces& put) { return put.flag; });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (puts[order[i - 1]].flag == puts[order[i]].flag)
      throw UsageError(
          fmt::format("puts {} and {} of a list raise one flag, and may end in any order: give each a flag of its own",
                      std::min(order[i - 1], order[i]), std::max(order[i - 1], order[i])));
}

void check_options(std::span<const Put> puts, const PreparedPutsOptions& options) {
  constexpr std::size_t kMostCopies = 4096;  // each takes a driver some kilobytes
  if (puts.empty()) throw UsageError("gpu::PreparedPuts: the list is empty");
  if (options.copies_of_each == 0 || puts.size() > kMostCopies / options.copies_of_each)
    throw UsageError(
        fmt::format("gpu::PreparedPuts: {} puts with {} copies each (copies_of_each); a list has 1 to {} copies",
                    puts.size(), options.copies_of_each, kMostCopies));
  if (!std::has_single_bit(options.ring) || options.ring > 1u << 20)
    throw UsageError(
        fmt::format("gpu::PreparedPuts: a ring of {} requests; it is a power of two, 2^20 at most", options.ring));
}

}  // namespace

PreparedPuts::PreparedPuts(const SegmentTable& table, std::span<const Put> puts, Stream& stream,
                           const PreparedPutsOptions& options) {
  Device& device = this_device();
  check_options(puts, options);
  if (const std::string why = device.driver().why_no_started_copies(device.number()); !why.empty())
    throw GpuError(fmt::format(
        "kernels cannot start puts: {}. Use a gpu::Channel, or a kaon::Payload, which the host sends", why));
  std::vector<PutPlaces> places;
  for (const Put& put : puts) places.push_back(table.resolve(put));
  refuse_shared_targets(places);
  refuse_shared_flags(places);
  engine_ = std::make_shared<PutEngine>(device, places, options, stream);
  device.watches().add(engine_);
}

// Behind the end of its PE the device has stopped it.
PreparedPuts::~PreparedPuts() {
  if (engine_ != nullptr && this_pe_or_null() != nullptr) engine_->stop();
}

}  // namespace kaon::gpu
