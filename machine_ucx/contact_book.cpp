// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/contact_book.hpp"

#include <string>

#include "kaon/machine_ucx/device_memory.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/ports/process_contact.hpp"

namespace kaon::machine_ucx {

ContactBook::ContactBook(Bootstrap& bootstrap, const Roster& roster, DeviceVendor vendor)
    : bootstrap_(bootstrap), roster_(roster), vendor_(vendor) {}

std::span<const std::byte> ContactBook::address(PeId pe) {
  if (pe >= pes()) {
    throw UsageError("no PE " + std::to_string(pe) + " in this run, which has " + std::to_string(pes()) + " PEs");
  }
  return contact(roster_.process_of(pe)).addresses[roster_.local_index(pe)];
}

const Contact& ContactBook::contact(int process) {
  const std::lock_guard hold(lock_);
  if (const auto known = contacts_.find(process); known != contacts_.end()) return known->second;
  Contact contact = decode_contact(decode_process_contact(bootstrap_.get(process)).ports);
  if (contact.vendor != vendor_)
    throw UsageError("process " + std::to_string(process) + " uses devices of " + std::string(name_of(contact.vendor)) +
                     ", this one of " + std::string(name_of(vendor_)) +
                     " (none is the emulation, which --device auto takes where it finds no device): give all processes "
                     "the same --device, and devices");
  if (contact.addresses.size() != pes_per_process()) {
    throw UsageError("process " + std::to_string(process) + " has " + std::to_string(contact.addresses.size()) +
                     " PEs, this one has " + std::to_string(pes_per_process()) +
                     ": give the same --pes to all processes");
  }
  return contacts_.emplace(process, std::move(contact)).first->second;
}

}  // namespace kaon::machine_ucx
