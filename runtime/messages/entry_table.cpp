// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/entry_table.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/version.hpp"
#include "kaon/runtime/messages/entry_name.hpp"

namespace kaon::runtime {
namespace {

const EntryRecord* first_record = nullptr;  // constant-initialised, so enlist may run at any time before main

std::uint64_t fnv1a(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return (hash ^ 0xffu) * 0x100000001b3u;  // an end mark, so that "ab","c" and "a","bc" differ
}

/// A local name: gcc writes {anonymous} and clang (anonymous namespace); both write a function as name(...).
bool is_local(std::string_view name) { return name.find("anonymous") != name.npos || name.find(")::") != name.npos; }

/// What tells an entry from all others, in every process of the program.
std::tuple<std::string_view, std::string_view, std::string_view> key_of(const EntryRecord& record) {
  return {record.name, record.signature, record.instance == nullptr ? "" : record.instance->name()};
}

void check_names(const std::vector<const EntryRecord*>& sorted) {
  for (const EntryRecord* record : sorted)
    if (is_local(record->name))
      throw UsageError("the entry " + readable_name(record->name) +
                       " belongs to a class in an unnamed namespace or inside a function; such a name cannot be told "
                       "apart between processes: move the class into a named namespace");
  const auto twin =
      std::adjacent_find(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return key_of(*a) == key_of(*b); });
  if (twin != sorted.end())
    throw UsageError("two entries have one name: " + readable_name((*twin)->name) + "; rename one of the classes");
}

}  // namespace

const EntryRecord* enlist(EntryRecord& record) noexcept {
  record.next = first_record;
  return first_record = &record;
}

EntryTable::EntryTable(std::vector<const EntryRecord*> records) : records_(std::move(records)) {
  std::sort(records_.begin(), records_.end(), [](auto* a, auto* b) { return key_of(*a) < key_of(*b); });
  check_names(records_);
  hash_ = fnv1a(0xcbf29ce484222325u, kVersion);
  for (std::uint32_t id = 0; id < records_.size(); ++id) {
    records_[id]->id = id;
    hash_ = fnv1a(fnv1a(hash_, records_[id]->name), records_[id]->signature);
    hash_ = fnv1a(hash_, std::to_string(records_[id]->message_bytes));
  }
}

const EntryTable& EntryTable::freeze() {
  static const EntryTable table = [] {
    std::vector<const EntryRecord*> records;
    for (const EntryRecord* record = first_record; record != nullptr; record = record->next) records.push_back(record);
    return EntryTable(std::move(records));
  }();
  return table;
}

}  // namespace kaon::runtime
