// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/platform/device_payloads.hpp"

#include <string>
#include <thread>
#include <utility>

#include "kaon/gpu/device/deferred_release.hpp"
#include "kaon/gpu/device/follower_stream.hpp"
#include "kaon/gpu/device/raise_behind.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

[[noreturn]] void refuse(const Landing& landing, const std::string& why) {
  throw UsageError("the landing of " + std::to_string(landing.bytes) + " bytes that a post rule gave is " + why);
}

}  // namespace

DevicePayloads& payloads_of(Device& device) { return static_cast<DevicePayloads&>(device.pe().accelerator()); }

DevicePayloads& these_payloads() {
  Pe* pe = this_pe_or_null();
  if (pe == nullptr) throw UsageError("streams and buffers of devices belong to PEs: this thread is none");
  return static_cast<DevicePayloads&>(pe->accelerator());
}

DevicePayloads::DevicePayloads(Platform& platform, Card& card, Pe& pe)
    : platform_(platform),
      device_(card, pe),
      engines_(device_, {platform.peers(), platform.segments(), platform.shared_flags(), platform.notice_boards()},
               {block_of, give_block, borrow_memory}, platform.engine_settings()),
      may_borrow_(platform.has_one_device()) {}

// Engines have memory that the device may still use.
DevicePayloads::~DevicePayloads() { device_.drain(); }

// --- where arriving payloads go

DevicePayloads::LandingTarget DevicePayloads::target_of(const Landing& landing) {
  Region* region = device_.regions().find(landing.data);
  if (region == nullptr || !region->holds(landing.data, landing.bytes)) {
    const bool is_host = device_.driver().classify(landing.data).location == Location::host;
    refuse(landing, is_host ? "no memory of a device: give a gpu::Buffer, or pooled()"
                            : "memory that Kaon does not know: make a gpu::Registration of it first");
  }
  if (region->device != device_.number())
    refuse(landing, "on device " + std::to_string(region->device) + ", its PE uses device " +
                        std::to_string(device_.number()) + ": give memory of that device, or pooled()");
  if (region->arena == nullptr) return {*region, nullptr};
  Block* block = device_.memory().pool().find_own(*region, landing.data, landing.bytes);
  if (block == nullptr && !Memory::is_live_elsewhere(*region, landing.data, device_.memory().pool()))
    refuse(landing, "no longer a buffer: it was freed, or is longer than its buffer");
  return {*region, block};
}

void DevicePayloads::require_host(const Landing& landing) {
  if (landing.bytes == 0 || device_.regions().find(landing.data) == nullptr) return;
  // A program may have freed what is still registered for it (see ProgramMemory), and have memory of the host there.
  if (device_.driver().classify(landing.data).location != Location::host)
    refuse(landing, "in the memory of a device, for a payload in host memory: give memory of the host, or pooled()");
}

void DevicePayloads::land(PayloadRecord& record, const Landing& landing) {
  record.is_counted = true;  // by its sender
  if (landing.mode == Landing::Mode::into) {
    const LandingTarget target = target_of(landing);
    record.data = static_cast<std::byte*>(landing.data);
    record.region = &target.region;
    record.stream = landing.stream;
    record.position = landing.position;
    hold_landing(record, target);
    expect_flag(record, landing);
    return;
  }
  // What is fetched may be read where it lies: by all PEs of the process, to any of which it may be handed.
  if (record.route == Route::fetched && may_borrow_) return;
  give_block(record, device_.memory().take(record.bytes, nullptr));
}

// Memory that a payload is being received into must stay: a buffer of this PE's, or registered memory.
void DevicePayloads::hold_landing(PayloadRecord& record, const LandingTarget& target) {
  if (target.region.arena == nullptr)
    hold_region(record, target.region);
  else if (target.block != nullptr)
    hold_block(record, *target.block);
}

void DevicePayloads::expect_flag(PayloadRecord& record, const Landing& landing) {
  record.flag = landing.flag;
  if (record.flag != nullptr) record.flag->expect();
}

// --- who may use the memory when

void DevicePayloads::settle(PayloadRecord& record) {
  if (!std::exchange(record.is_viewed, false)) return;
  auto* stream = static_cast<StreamState*>(record.stream);
  const bool is_ours = stream->owner == &device_;  // how far another is, only its PE knows
  const Position last = is_ours ? Position{stream, stream->all_given()} : device_.order().follow_all(*stream);
  record.stream = last.stream;
  record.position = last.count;
}

void DevicePayloads::settle_last(PayloadRecord& record) noexcept {
  try {
    settle(record);
  } catch (...) {
    device_.pe().fail(std::current_exception());
  }
}

Position DevicePayloads::last_use(PayloadRecord& record) noexcept {
  settle_last(record);
  Position last = position_of(record);
  if (last.stream != nullptr && last.stream->owner == &device_) last.count = last.stream->all_given();
  return last;
}

void DevicePayloads::tell_when_free(PayloadRecord& record) noexcept {
  const Position last = last_use(record);
  if (record.signal != nullptr) DeferredRelease::start(device_, last, nullptr, std::exchange(record.signal, nullptr));
}

void DevicePayloads::copy(PayloadRecord& record, const Landing& landing) {
  const LandingTarget target = target_of(landing);
  settle(record);
  if (const Region* from = device_.regions().find(record.data); from != nullptr) device_.reach(from->device);
  auto& of_landing = *static_cast<StreamState*>(landing.stream);
  const Position place{&of_landing, landing.position};
  const FollowerStream follower(device_.streams(), {position_of(record), place},
                                of_landing.is_left() ? engines_.fetched().stream() : of_landing);
  StreamState& stream = follower.state();
  device_.order().wait(stream, place);
  device_.order().wait(stream, position_of(record));
  device_.held().launch(stream);
  device_.driver().copy(landing.data, record.data, record.bytes, stream.native);
  record.stream = &stream;
  record.position = ++stream.submitted;
  record.region = &target.region;
  if (target.block != nullptr) device_.memory().note_landing(*target.block, position_of(record));
  record.is_counted = true;
  device_.pe().exchange().transfers().add(Route::device_copy, record.bytes);
  if (landing.flag == nullptr) return;
  landing.flag->expect();
  RaiseBehind::start(device_, position_of(record), *landing.flag);
}

void DevicePayloads::bring_here(PayloadRecord& record, StreamState& stream, bool must_own) {
  const Region* region = device_.regions().find(record.data);
  const bool is_elsewhere = region != nullptr && region->device != device_.number();
  if (!std::exchange(record.is_counted, true))
    device_.pe().exchange().transfers().add(is_elsewhere ? Route::device_copy : Route::handed_over, record.bytes);
  if (is_elsewhere) device_.reach(region->device);
  if (is_elsewhere || (must_own && is_borrowed(record)))
    copy_here(record, device_.memory().take(record.bytes, &stream), stream);
}

// Who has viewed what was borrowed may still give kernels what that view gave.
void DevicePayloads::copy_here(PayloadRecord& record, Block& block, StreamState& stream) {
  const bool stays = is_borrowed(record) && record.stream != nullptr;
  device_.order().wait(stream, block.free_at);
  device_.order().wait(stream, position_of(record));
  device_.driver().copy(block.data, record.data, record.bytes, stream.native);
  record.stream = &stream;
  record.position = ++stream.submitted;
  if (stays) {
    give_copy(record, block);
  } else {
    if (PayloadOwner* owner = std::exchange(record.owner, nullptr)) owner->release(record);
    give_block(record, block);
  }
  record.stream = &stream;
  record.position = stream.submitted;
}

// --- to other processes

// What lies in another process' memory cannot be shown to a third one.
Route DevicePayloads::choose_route(PeId to, PayloadRecord& record, std::size_t before) {
  if (is_borrowed(record)) {
    settle(record);
    StreamState& usual = engines_.fetched().stream();
    Block& block = device_.memory().take(record.bytes, &usual);
    const FollowerStream follower(device_.streams(), {position_of(record), block.free_at}, usual);
    copy_here(record, block, follower.state());
  }
  return engines_.choose(to, record, before);
}

void DevicePayloads::prepare(PeId to, PayloadRecord& record) {
  settle(record);
  device_.stream_watcher().mark(position_of(record));
  engines_.prepare(to, record);
  Region* region = region_of(device_, record);
  if (region != nullptr && !region->staged_because.empty() && !region->has_warned.exchange(true))
    log_warn("payloads in registered memory of " + std::to_string(region->bytes) +
             " bytes go through the host: " + region->staged_because);
}

bool DevicePayloads::send(PeId to, std::uint32_t counter, Route route, PayloadRecord& record, Work& done) {
  return engines_.submit(route, {Way::out, to, counter, record, done});
}

bool DevicePayloads::receive(PeId from, std::uint32_t counter, PayloadRecord& record, Work& done) {
  return engines_.submit(record.route, {Way::in, from, counter, record, done});
}

bool DevicePayloads::progress() {
  const bool has_reached = device_.look();
  if (!engines_.progress()) return has_reached;
  looking_.is_over();
  return true;
}

bool DevicePayloads::arm() {
  device_.held().give(false);
  if (!engines_.is_moving()) device_.memory().trim();
  const bool must_look = engines_.must_look() || device_.stream_watcher().awaits_flag();
  if (!must_look) looking_.is_over();
  const bool may_sleep = !must_look || looking_.is_long();
  if (may_sleep && !device_.watches().is_busy()) return device_.stream_watcher().arm();
  std::this_thread::yield();  // whom we wait for may need this core
  return false;
}

}  // namespace kaon::gpu
