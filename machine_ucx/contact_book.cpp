// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/contact_book.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::machine_ucx {

namespace {

std::size_t count_pes(const Bootstrap& bootstrap, int pes_per_process) {
  if (pes_per_process < 1) throw UsageError("a process needs at least one PE: give --pes 1 or more");
  const std::size_t pes = static_cast<std::size_t>(bootstrap.processes()) * static_cast<std::size_t>(pes_per_process);
  if (pes > kMaxPes) throw UsageError("more than 2^28 PEs: use fewer processes, or fewer PEs each (--pes)");
  return pes;
}

}  // namespace

ContactBook::ContactBook(Bootstrap& bootstrap, int pes_per_process)
    : bootstrap_(bootstrap),
      pes_per_process_(static_cast<std::size_t>(pes_per_process)),
      pes_(count_pes(bootstrap, pes_per_process)),
      first_pe_(static_cast<PeId>(static_cast<std::size_t>(bootstrap.process()) * pes_per_process_)) {}

std::span<const std::byte> ContactBook::address(PeId pe) {
  if (pe >= pes_) {
    throw UsageError("no PE " + std::to_string(pe) + " in this run, which has " + std::to_string(pes_) + " PEs");
  }
  return contact(static_cast<int>(pe / pes_per_process_))[pe % pes_per_process_];
}

const Contact& ContactBook::contact(int process) {
  const std::lock_guard hold(lock_);
  if (const auto known = contacts_.find(process); known != contacts_.end()) return known->second;
  Contact contact = decode_contact(bootstrap_.get(process));
  if (contact.size() != pes_per_process_) {
    throw CorruptMessage("process " + std::to_string(process) + " has " + std::to_string(contact.size()) +
                         " PEs, this one has " + std::to_string(pes_per_process_) +
                         ": give the same --pes to all processes");
  }
  return contacts_.emplace(process, std::move(contact)).first->second;
}

}  // namespace kaon::machine_ucx
