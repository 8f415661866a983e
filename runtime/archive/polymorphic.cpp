// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/archive/polymorphic.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime::archive {
namespace {

const PolymorphicRecord* first_record = nullptr;  // constant-initialised, so enlist may run at any time before main

/// All records in the order of their names, which is the same in all processes.
struct PolymorphicTable {
  std::vector<const PolymorphicRecord*> records;
  std::map<std::pair<const char*, std::type_index>, const PolymorphicRecord*> by_type;

  PolymorphicTable() {
    for (const PolymorphicRecord* at = first_record; at != nullptr; at = at->next) records.push_back(at);
    std::sort(records.begin(), records.end(), [](auto* a, auto* b) { return a->name < b->name; });
    for (const PolymorphicRecord* record : records) {
      by_type.emplace(std::pair(record->base, std::type_index(*record->type)), record);
      record->number = static_cast<std::uint32_t>(by_type.size());
    }
  }
};

const PolymorphicTable& table() {
  static const PolymorphicTable all;
  return all;
}

std::string readable(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                         &std::free);
  return text == nullptr ? type.name() : text.get();
}

}  // namespace

void enlist(PolymorphicRecord& record) noexcept {
  record.next = first_record;
  first_record = &record;
}

const PolymorphicRecord& polymorphic(const char* base, const std::type_info& type, const std::type_info& base_type) {
  const auto& by_type = table().by_type;
  const auto found = by_type.find({base, std::type_index(type)});
  if (found != by_type.end()) return *found->second;
  const std::string derived = readable(type), of = readable(base_type);
  throw UsageError("an object of class " + derived + " is sent by a pointer to " + of +
                   ", which other processes could not make: list it in its header, inline const "
                   "kaon::PolymorphicType<" +
                   of + ", " + derived + "> listed;");
}

const PolymorphicRecord& polymorphic(const char* base, std::uint32_t number) {
  const auto& records = table().records;
  if (number == 0 || number > records.size() || records[number - 1]->base != base)
    throw CorruptMessage(
        "a message holds an object of a class that this program does not list; check that each pup reads what it "
        "wrote, and that all processes run the same program");
  return *records[number - 1];
}

}  // namespace kaon::runtime::archive
