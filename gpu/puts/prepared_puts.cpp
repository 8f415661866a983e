// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/prepared_puts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/puts/device_put_engine.hpp"
#include "kaon/gpu/puts/host_put_engine.hpp"
#include "kaon/gpu/puts/start_puts.kernels.hpp"
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

/// A list, with the table that names its segments.
struct NamedPuts {
  const SegmentTable& table;
  std::span<const Put> puts;
  std::string target(std::size_t number) const { return table.name_of(puts[number].to); }
  std::string flag(std::size_t number) const {
    return fmt::format("word {} of {}", puts[number].flag, table.name_of(puts[number].flags));
  }
};

/// `order`: the puts that have data, by their targets.
void refuse_shared_targets(const NamedPuts& named, std::span<const PutPlaces> puts,
                           const std::vector<std::size_t>& order) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    const PutPlaces& before = puts[order[i - 1]];
    if (before.to + before.bytes <= puts[order[i]].to) continue;
    const auto [first, second] = std::minmax(order[i - 1], order[i]);
    throw UsageError(
        fmt::format("the targets of puts {} and {} of a list overlap, in {} and {}, so that either may overwrite the "
                    "other: give each a range of its own, or prepare two lists",
                    first, second, named.target(first), named.target(second)));
  }
}

void refuse_shared_flags(const NamedPuts& named, std::span<const PutPlaces> puts) {
  const std::vector<std::size_t> order = sorted(puts, [](const PutPlaces& put) { return put.flag; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (puts[order[i - 1]].flag != puts[order[i]].flag) continue;
    const auto [first, second] = std::minmax(order[i - 1], order[i]);
    throw UsageError(fmt::format(
        "puts {} and {} of a list raise one flag, {}, and may end in any order: give each a flag of its own", first,
        second, named.flag(first)));
  }
}

void refuse_flags_of_other_lists(const NamedPuts& named, std::span<const PutPlaces> puts, const RaisedFlags& raised) {
  for (std::size_t i = 0; i < puts.size(); ++i)
    if (puts[i].flag != nullptr && raised.is_taken(puts[i].flag))
      throw UsageError(fmt::format(
          "put {} of a list raises {}, which another list of this PE raises, and the puts of both may come in "
          "any order: give each list flags of its own, or end the other one before",
          i, named.flag(i)));
}

/// Of one put the table has seen that it leaves its own flag alone.
void refuse_flags_in_targets(const NamedPuts& named, std::span<const PutPlaces> puts,
                             const std::vector<std::size_t>& order) {
  const std::less<const void*> before;
  for (std::size_t i = 0; i < puts.size(); ++i) {
    const auto* const flag = reinterpret_cast<const std::byte*>(puts[i].flag);
    if (flag == nullptr) continue;
    // the last target that begins before the flag's end
    const auto behind = std::partition_point(order.begin(), order.end(), [&](std::size_t other) {
      return before(puts[other].to, flag + sizeof *puts[i].flag);
    });
    if (behind == order.begin()) continue;
    const std::size_t other = *std::prev(behind);
    if (before(flag, puts[other].to + puts[other].bytes))
      throw UsageError(fmt::format("put {} of a list would overwrite the flag of put {}, {}: keep flags outside of {}",
                                   other, i, named.flag(i), named.target(other)));
  }
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

constexpr const char* kLetHostStart = "Let the host start them (started_by = PutsStartedBy::host)";

std::string text_of_no_room(Device& device, std::size_t copies) {
  return fmt::format(
      "gpu::PreparedPuts: the driver of device {} has no room left for {} more copies, and would wait for all kernels "
      "that run on the device before it makes more, while one of them, of a Resident or of another list, may run for "
      "ever: prepare lists before those begin. {}",
      device.number(), copies, kLetHostStart);
}

/// Who starts the copies of a list, by what is wanted and what the device can.
PutsStartedBy starter_of(Device& device, PutsStartedBy wanted) {
  if (wanted == PutsStartedBy::host) return wanted;
  const std::string why = device.driver().why_no_started_copies(device.number());
  if (why.empty()) return wanted == PutsStartedBy::automatic ? PutsStartedBy::device : wanted;
  if (wanted == PutsStartedBy::automatic) return PutsStartedBy::host;
  throw GpuError(fmt::format("kernels cannot start the copies of puts: {}. {}", why, kLetHostStart));
}

}  // namespace

PreparedPuts::PreparedPuts(const SegmentTable& table, std::span<const Put> puts, Stream& stream,
                           const PreparedPutsOptions& options) {
  Device& device = this_device();
  PreparedPutsOptions chosen = options;
  chosen.started_by = starter_of(device, options.started_by);
  if (chosen.started_by == PutsStartedBy::host) chosen.copies_of_each = 1;  // none is prepared
  check_options(puts, chosen);
  std::vector<PutPlaces> places;
  for (const Put& put : puts) places.push_back(table.resolve(put));
  const NamedPuts named{table, puts};
  const auto order = sorted(places, [](const PutPlaces& put) { return put.bytes > 0 ? put.to : nullptr; });
  refuse_shared_targets(named, places, order);
  refuse_flags_in_targets(named, places, order);
  refuse_shared_flags(named, places);
  refuse_flags_of_other_lists(named, places, *device.shared<RaisedFlags>());
  CopyRoom room;
  if (chosen.started_by != PutsStartedBy::host) room = DevicePutEngine::room_for(device, places, chosen, stream);
  if (room) {
    engine_ = std::make_shared<DevicePutEngine>(device, places, chosen, stream, std::move(room));
  } else {
    if (options.started_by != PutsStartedBy::automatic && options.started_by != PutsStartedBy::host)
      throw GpuError(text_of_no_room(device, places.size() * chosen.copies_of_each));
    chosen.started_by = PutsStartedBy::host;
    engine_ = std::make_shared<HostPutEngine>(device, places, chosen, stream);
  }
  device.watches().add(engine_);
  engine_->claim_flags();
}

const PutRing& PreparedPuts::ring() const {
  const PutRing* const ring = engine_with("ring()").ring();
  if (ring == nullptr)
    throw UsageError(
        "gpu::PreparedPuts::ring(): the puts of this list are started by the program (started_by), so that nobody "
        "takes requests: pass starts() to the kernel that starts the copies");
  return *ring;
}

void PreparedPuts::start(Stream& stream, std::uint32_t value) const {
  const PutRing& to = ring();
  if (&stream.device() != &engine_->device())
    throw UsageError("gpu::PreparedPuts::start(): the stream is of another PE than the list");
  stream.launch({{1}, {1}}, StartPutsKernel{to, value});
  engine_->note_start(*stream.here().stream);
}

const PutStarts& PreparedPuts::starts() const {
  const PutStarts* const starts = engine_with("starts()").starts();
  if (starts == nullptr)
    throw UsageError(
        "gpu::PreparedPuts::starts(): Kaon starts the copies of this list: pass ring(), or prepare the list with "
        "started_by = PutsStartedBy::program");
  return *starts;
}

const PutEngine& PreparedPuts::engine_with(const char* use) const {
  if (engine_ == nullptr)
    throw UsageError(fmt::format("gpu::PreparedPuts::{}: this list was moved to another object", use));
  if (const runtime::Pe& owner = engine_->device().pe(); this_pe_or_null() != &owner)
    throw UsageError(fmt::format("gpu::PreparedPuts::{}: this list belongs to PE {}", use, owner.id()));
  return *engine_;
}

// Behind the end of its PE the device has stopped it.
void PreparedPuts::end() noexcept {
  runtime::Pe* const pe = this_pe_or_null();
  if (engine_ == nullptr || pe == nullptr) return;
  if (pe == &engine_->device().pe())
    engine_->stop();
  else
    pe->fail(std::make_exception_ptr(
        UsageError(fmt::format("a gpu::PreparedPuts of PE {} ended on PE {}", engine_->device().pe().id(), pe->id()))));
}

}  // namespace kaon::gpu
