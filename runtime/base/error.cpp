// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/error.hpp"

#include <new>

#include "kaon/runtime/base/last_words.hpp"

namespace kaon::runtime {

int exit_code(const std::exception& error) noexcept {
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return kExitUsage;
  if (dynamic_cast<const LostPeer*>(&error) != nullptr) return kExitLostPeer;
  if (dynamic_cast<const OutOfMemory*>(&error) != nullptr) return kExitOutOfMemory;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return kExitOutOfMemory;
  if (dynamic_cast<const Deadlock*>(&error) != nullptr) return kExitDeadlock;
  return kExitOther;
}

std::string error_text(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return error.what();
  return "out of memory (" + std::string(error.what()) + "): " + std::string(kMemoryAdvice);
}

}  // namespace kaon::runtime
