// SPDX-License-Identifier: Apache-2.0
#include "runtime/payload.hpp"

#include <new>
#include <string>

#include "runtime/error.hpp"
#include "runtime/pe.hpp"
#include "runtime/process.hpp"

namespace kaon {
namespace {

PayloadRecord* new_record() {
  Pool& pool = this_pe().pool();
  auto* record = new (pool.allocate(sizeof(PayloadRecord))) PayloadRecord;
  record->home = pool.home();
  return record;
}

void release_to(Pool& pool, Pool& home, void* memory, std::size_t bytes) noexcept {
  if (&pool == &home)
    pool.release(memory, bytes);
  else
    pool.release_foreign(memory, bytes, home);
}

void release_memory(PayloadRecord& record) noexcept {
  if (record.keeper != nullptr) record.release_keeper(record.keeper);
  if (record.capacity != 0) {
    Pe& pe = this_pe();
    release_to(pe.pool(), pe.process().pool(record.home), record.data, record.capacity);
  }
  record.keeper = nullptr;
  record.capacity = 0;
}

void give_buffer(PayloadRecord& record) {
  if (record.bytes == 0) return;
  Pool& pool = this_pe().pool();
  if (pool.home() != record.home) throw UsageError("a payload's buffer is made by the PE that made its record");
  record.data = static_cast<std::byte*>(pool.allocate(record.bytes));
  record.capacity = record.bytes;
}

void check_landing(const PayloadRecord& record, Landing landing) {
  if (landing.bytes < record.bytes)
    throw UsageError("a payload of " + std::to_string(record.bytes) + " bytes does not fit the landing of " +
                     std::to_string(landing.bytes) + " bytes that the post rule gave: give a larger one or pooled()");
}

}  // namespace

PayloadRecord* make_payload(std::size_t bytes) {
  PayloadRecord* record = announce_payload(bytes);
  give_buffer(*record);
  return record;
}

PayloadRecord* announce_payload(std::size_t bytes) {
  PayloadRecord* record = new_record();
  record->bytes = bytes;
  return record;
}

PayloadRecord* adopt_payload(std::byte* data, std::size_t bytes, void* keeper, void (*release)(void*) noexcept) {
  PayloadRecord* record = announce_payload(bytes);
  record->data = data;
  record->keeper = keeper;
  record->release_keeper = release;
  return record;
}

void land(PayloadRecord& record, Landing landing) {
  if (landing.is_pooled()) return give_buffer(record);
  check_landing(record, landing);
  record.data = static_cast<std::byte*>(landing.data);
}

void relocate(PayloadRecord& record, Landing landing) {
  if (landing.is_pooled()) return;
  check_landing(record, landing);
  if (record.bytes != 0) std::memcpy(landing.data, record.data, record.bytes);
  release_memory(record);
  record.data = static_cast<std::byte*>(landing.data);
}

void release_payload(PayloadRecord* record) noexcept {
  if (record == nullptr || --record->owners > 0) return;
  release_memory(*record);
  Pe& pe = this_pe();
  release_to(pe.pool(), pe.process().pool(record->home), record, sizeof(PayloadRecord));
}

void throw_corrupt_payload(std::uint64_t bytes, std::size_t element_bytes) {
  throw CorruptMessage("a payload of " + std::to_string(bytes) + " bytes cannot hold elements of " +
                       std::to_string(element_bytes) + " bytes, or came where none can be");
}

}  // namespace kaon
