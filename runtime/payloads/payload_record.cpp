// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/payloads/payload_record.hpp"

#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/payloads/later.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/payloads/sent.hpp"

namespace kaon::runtime {
namespace {

PayloadRecord* new_record() {
  Pool& pool = this_pe().pool();
  auto* record = new (pool.allocate(sizeof(PayloadRecord))) PayloadRecord;
  record->home = record->memory_home = pool.home();
  return record;
}

void release_to(Pool& pool, Pool& home, void* memory, std::size_t bytes) noexcept {
  if (&pool == &home)
    pool.release(memory, bytes);
  else
    pool.release_foreign(memory, bytes, home);
}

void release_memory(PayloadRecord& record) noexcept {
  if (record.signal != nullptr && record.kind == MemoryKind::device && record.keeper == nullptr)
    this_pe().accelerator().tell_when_free(record);  // a landing, which streams may still read
  if (record.keeper != nullptr) record.release_keeper(record);
  if (record.capacity != 0) {
    Pe& pe = this_pe();
    release_to(pe.pool(), pe.process().pool(record.memory_home), record.data, record.capacity);
  }
  if (record.signal != nullptr) std::exchange(record.signal, nullptr)->memory_is_free();
  record.keeper = nullptr;
  record.capacity = 0;
}

void give_buffer(PayloadRecord& record) {
  if (record.bytes == 0) return;
  Pool& pool = this_pe().pool();
  record.memory_home = pool.home();
  record.data = static_cast<std::byte*>(pool.allocate(record.bytes));
  record.capacity = record.bytes;
}

const char* name_of(MemoryKind kind) { return kind == MemoryKind::host ? "host memory" : "the memory of a device"; }

}  // namespace

PayloadRecord* make_payload(std::size_t bytes) {
  PayloadRecord* record = announce_payload(bytes);
  give_buffer(*record);
  return record;
}

PayloadRecord* announce_payload(std::size_t bytes, Route route) {
  PayloadRecord* record = new_record();
  record->bytes = bytes;
  record->route = route;
  record->kind = route == Route::direct || route == Route::staged ? MemoryKind::device : MemoryKind::host;
  return record;
}

PayloadRecord* adopt_payload(std::byte* data, std::size_t bytes, void* keeper,
                             void (*release)(PayloadRecord&) noexcept) {
  PayloadRecord* record = announce_payload(bytes);
  record->data = data;
  record->keeper = keeper;
  record->release_keeper = release;
  return record;
}

void check_landing(const PayloadRecord& record, const Landing& landing) {
  if (landing.kind != record.kind)
    throw UsageError("a payload of " + std::to_string(record.bytes) + " bytes in " + name_of(record.kind) +
                     " cannot land in " + name_of(landing.kind) +
                     ": give a landing of the same kind, or pooled() and copy from there");
  if (landing.bytes < record.bytes)
    throw UsageError("a payload of " + std::to_string(record.bytes) + " bytes does not fit the landing of " +
                     std::to_string(landing.bytes) + " bytes that the post rule gave: give a larger one or pooled()");
  Pe& pe = this_pe();
  if (landing.kind == MemoryKind::host && pe.has_accelerator()) pe.accelerator().require_host(landing);
}

void land(PayloadRecord& record, const Landing& landing) {
  if (landing.mode == Landing::Mode::into) check_landing(record, landing);
  if (record.kind == MemoryKind::device) return this_pe().accelerator().land(record, landing);
  if (landing.is_pooled()) return give_buffer(record);
  record.data = static_cast<std::byte*>(landing.data);
}

void relocate(PayloadRecord& record, const Landing& landing) {
  if (landing.mode != Landing::Mode::into) return;
  check_landing(record, landing);
  if (record.bytes == 0) return;
  if (record.kind == MemoryKind::device) {
    this_pe().accelerator().copy(record, landing);
    release_memory(record);
    record.stream = landing.stream;
  } else {
    std::memcpy(landing.data, record.data, record.bytes);
    release_memory(record);
  }
  record.data = static_cast<std::byte*>(landing.data);
}

void hand_memory(PayloadRecord& from, PayloadRecord& to) {
  to.data = from.data;
  to.capacity = std::exchange(from.capacity, 0);
  to.memory_home = from.memory_home;
  to.keeper = std::exchange(from.keeper, nullptr);
  to.release_keeper = from.release_keeper;
  to.stream = from.stream;
  to.position = from.position;
  to.is_viewed = from.is_viewed;
  to.region = from.region;
  to.signal = std::exchange(from.signal, nullptr);
}

void release_payload(PayloadRecord* record) noexcept {
  if (record == nullptr) return;
  if (this_pe_or_null() == nullptr) [[unlikely]]
    return warn_outlived("Payload");
  if (--record->owners > 0) return;
  if (record->is_later) return reject(record);  // which releases it again, without this mark
  release_memory(*record);
  Pe& pe = this_pe();
  release_to(pe.pool(), pe.process().pool(record->home), record, sizeof(PayloadRecord));
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
