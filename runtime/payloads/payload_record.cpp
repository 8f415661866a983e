// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/payloads/payload_record.hpp"

#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/payloads/sent.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {
namespace {

class PoolMemory final : public PayloadOwner {
 public:
  void release(PayloadRecord& record) noexcept override {
    this_scheduler().pool().release_to(record.memory_home, record.data, record.capacity);
    record.capacity = 0;
  }
};

PoolMemory pool_memory;

PayloadRecord* new_record() {
  Pool& pool = calling_scheduler("a Payload was made").pool();
  auto* record = new (pool.allocate(sizeof(PayloadRecord))) PayloadRecord;
  record->home = record->memory_home = pool.home();
  return record;
}

void release_memory(PayloadRecord& record) noexcept {
  if (record.flag != nullptr) std::exchange(record.flag, nullptr)->will_not_arrive();
  if (record.signal != nullptr && record.kind == MemoryKind::device && record.owner == nullptr)
    this_accelerator()->tell_when_free(record);  // a landing, which streams may still read
  if (PayloadOwner* owner = std::exchange(record.owner, nullptr)) owner->release(record);
  if (record.signal != nullptr) std::exchange(record.signal, nullptr)->memory_is_free();
  record.keeper = nullptr;
}

void give_buffer(PayloadRecord& record) {
  if (record.bytes == 0) return;
  Pool& pool = this_scheduler().pool();
  record.memory_home = pool.home();
  record.data = static_cast<std::byte*>(pool.allocate(record.bytes));
  record.capacity = record.bytes;
  record.owner = &pool_memory;
}

const char* name_of(MemoryKind kind) { return kind == MemoryKind::host ? "host memory" : "the memory of a device"; }

}  // namespace

PayloadRecord* make_payload(std::size_t bytes) {
  OwnedPayload record(announce_payload(bytes));
  give_buffer(*record);
  return record.release();
}

PayloadRecord* announce_payload(std::size_t bytes, Route route) {
  PayloadRecord* record = new_record();
  record->bytes = bytes;
  record->route = route;
  record->kind = is_engine(route) ? MemoryKind::device : MemoryKind::host;
  return record;
}

Route choose_route(PeId to, PayloadRecord& record, std::size_t before) {
  record.route = record.kind == MemoryKind::host ? Route::host : this_accelerator()->choose_route(to, record, before);
  return record.route;
}

PayloadRecord* adopt_payload(std::byte* data, std::size_t bytes, PayloadOwner& owner, void* keeper) {
  PayloadRecord* record = announce_payload(bytes);
  record->data = data;
  record->owner = &owner;
  record->keeper = keeper;
  return record;
}

void check_landing(const PayloadRecord& record, const Landing& landing) {
  if (landing.kind != record.kind)
    throw UsageError("a payload of " + std::to_string(record.bytes) + " bytes in " + name_of(record.kind) +
                     " cannot land in " + name_of(landing.kind) +
                     ": give a landing of the same kind, or pooled() and copy from there");
  if (landing.flag != nullptr && landing.kind == MemoryKind::host) throw_no_place_to_raise();
  if (landing.bytes < record.bytes)
    throw UsageError("a payload of " + std::to_string(record.bytes) + " bytes does not fit the landing of " +
                     std::to_string(landing.bytes) + " bytes that the post rule gave: give a larger one or pooled()");
  Accelerator* accelerator = this_accelerator();
  if (landing.kind == MemoryKind::host && accelerator != nullptr) accelerator->require_host(landing);
}

void land(PayloadRecord& record, const Landing& landing) {
  if (landing.mode == Landing::Mode::into) check_landing(record, landing);
  if (record.kind == MemoryKind::device) return this_accelerator()->land(record, landing);
  if (landing.is_pooled()) return give_buffer(record);
  record.data = static_cast<std::byte*>(landing.data);
}

void relocate(PayloadRecord& record, const Landing& landing) {
  if (landing.mode != Landing::Mode::into) return;
  check_landing(record, landing);
  if (record.bytes == 0) return;
  if (record.kind == MemoryKind::device) {
    this_accelerator()->copy(record, landing);
    void* const stream = record.stream;  // the landing's, or another one if that is no more
    release_memory(record);
    record.stream = stream;
  } else {
    std::memcpy(landing.data, record.data, record.bytes);
    release_memory(record);
  }
  record.data = static_cast<std::byte*>(landing.data);
}

PayloadRecord* take_over(OwnedPayload& record) {
  const bool is_landed = record->owner == nullptr && record->capacity == 0 && record->bytes != 0;
  if (!is_landed) return record.release();
  if (record->kind == MemoryKind::device) throw_device_payload_inside(record->bytes);
  OwnedPayload copy(make_payload(record->bytes));
  std::memcpy(copy->data, record->data, record->bytes);
  return copy.release();
}

void throw_no_place_to_raise() {
  throw UsageError(
      "Landing::raising(flag) is for payloads that land in memory of a device: Landing::into(span, stream)");
}

void hand_memory(PayloadRecord& from, PayloadRecord& to) {
  to.data = from.data;
  to.capacity = std::exchange(from.capacity, 0);
  to.memory_home = from.memory_home;
  to.owner = std::exchange(from.owner, nullptr);
  to.keeper = std::exchange(from.keeper, nullptr);
  to.stream = from.stream;
  to.position = from.position;
  to.is_viewed = from.is_viewed;
  to.region = from.region;
  to.signal = std::exchange(from.signal, nullptr);
  to.sender = from.sender;
  to.counter = from.counter;
}

void release_payload(PayloadRecord* record) noexcept {
  if (record == nullptr) return;
  Scheduler* const scheduler = this_scheduler_or_null();
  if (scheduler == nullptr) [[unlikely]]
    return warn_outlived("Payload");
  if (--record->holders > 0) return;
  if (record->state == PayloadState::deferred && record->owner != nullptr)
    return record->owner->release(*record);  // which releases it again
  release_memory(*record);
  scheduler->pool().release_to(record->home, record, sizeof(PayloadRecord));
}

void throw_corrupt_payload(std::uint64_t bytes, std::size_t element_bytes) {
  throw CorruptMessage("a payload of " + std::to_string(bytes) + " bytes cannot hold elements of " +
                       std::to_string(element_bytes) + " bytes, or came where none can be");
}

void throw_device_payload_inside(std::uint64_t bytes) {
  throw UsageError("a payload of " + std::to_string(bytes) +
                   " bytes in the memory of a device cannot be packed into bytes: send it as an argument of an entry");
}

void throw_not_here() {
  throw UsageError(
      "this payload was not fetched yet, its post rule said later(): co_await land(payload, landing) first");
}

void throw_device_memory() {
  throw UsageError("this payload lies in the memory of a device: use view(stream), or copy it to the host first");
}

}  // namespace kaon::runtime
