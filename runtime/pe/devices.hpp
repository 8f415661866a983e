// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::runtime {

class Pe;

/// The devices of a process: makes the accelerators of its PEs.
class Devices {
 public:
  virtual ~Devices() = default;
  /// By whose means the network reaches their memory.
  virtual DeviceVendor vendor() const = 0;
  /// Sets the machine that registers their memory; nullptr for a process alone. It is destroyed before the memory is.
  virtual void use_machine(Machine* machine) = 0;
  /// Called by the thread of the PE.
  virtual std::unique_ptr<Accelerator> make_accelerator(Pe& pe) = 0;
  /// Returns what devices of other processes need to know of these. Call it when all accelerators are made.
  virtual std::vector<std::byte> contact() = 0;
  /// Returns the bytes of another process's contact(). Any thread may call it, for as long as the run lasts.
  using ContactOf = std::function<std::vector<std::byte>(int process)>;
  /// When all processes have given theirs. `neighbors`: the others of this host.
  virtual void meet(std::span<const int> neighbors, ContactOf contact_of) = 0;
};

}  // namespace kaon::runtime
