// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "kaon/machine_ucx/contact.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// The addresses of all PEs of the run. Each process is asked for once, when one of our PEs first sends to it; the lock
// is taken only then.
class ContactBook {
 public:
  // Both stay the caller's and outlive the book.
  ContactBook(Bootstrap& bootstrap, const Roster& roster, DeviceVendor vendor);

  // One more than the highest PE of the run.
  [[nodiscard]] std::size_t pes() const { return roster_.pes(); }
  // This process's own PEs: the first, and how many.
  [[nodiscard]] PeId first_pe() const { return roster_.first_pe(bootstrap_.seat().process); }
  [[nodiscard]] std::size_t pes_per_process() const { return static_cast<std::size_t>(roster_.pes_per_process()); }

  // Whether another host has it.
  [[nodiscard]] bool is_far(PeId pe) const { return roster_.host_of(pe) != bootstrap_.seat().host; }

  // Any thread. The bytes live as long as the book.
  std::span<const std::byte> address(PeId pe);

 private:
  const Contact& contact(int process);

  Bootstrap& bootstrap_;
  const Roster& roster_;
  const DeviceVendor vendor_;  // of the devices that this process uses
  std::mutex lock_;            // guards contacts_ and calls of bootstrap_.get()
  std::unordered_map<int, Contact> contacts_;
};

}  // namespace kaon::machine_ucx
