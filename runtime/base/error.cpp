// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

int exit_code(const std::exception& error) noexcept {
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return kExitUsage;
  if (dynamic_cast<const LostPeer*>(&error) != nullptr) return kExitLostPeer;
  if (dynamic_cast<const OutOfMemory*>(&error) != nullptr) return kExitOutOfMemory;
  return kExitOther;
}

}  // namespace kaon::runtime
