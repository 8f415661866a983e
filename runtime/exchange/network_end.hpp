// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::runtime {

/// The end of the network at one PE: Exchange opens and closes it, its parts use it.
struct NetworkEnd {
  std::unique_ptr<Port> port;          // nullptr: not open yet, or closed: nothing comes and nothing leaves
  Accelerator* accelerator = nullptr;  // nullptr: the program uses no devices
  std::uint8_t epoch = 0;              // of the run; each rollback begins the next
};

}  // namespace kaon::runtime
