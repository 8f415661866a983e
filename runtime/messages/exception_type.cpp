// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/exception_type.hpp"

namespace kaon::runtime {
namespace {

const ExceptionRecord* first_type = nullptr;  // constant-initialised, so enlist may run at any time before main

template <class Is>
const ExceptionRecord* first_that(Is is) {
  const ExceptionRecord* record = first_type;
  while (record != nullptr && !is(*record)) record = record->next;
  return record;
}

}  // namespace

void ExceptionRecord::enlist(ExceptionRecord& record) noexcept {
  record.next = first_type;
  first_type = &record;
}

const ExceptionRecord* ExceptionRecord::find(const std::exception& error) {
  return first_that([&](const ExceptionRecord& record) { return record.is_of(error); });
}
const ExceptionRecord* ExceptionRecord::find(std::string_view name) {
  return first_that([&](const ExceptionRecord& record) { return record.name == name; });
}

}  // namespace kaon::runtime
