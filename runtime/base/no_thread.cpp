// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/no_thread.hpp"

#include <string>
#include <thread>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

void throw_no_thread(std::string_view which, const std::system_error& error) {
  throw UsageError("cannot start " + std::string(which) + " (" + error.what() + "): " + kThreadAdvice);
}

void require_thread(std::string_view which) {
  try {
    std::thread([] {}).join();
  } catch (const std::system_error& error) {
    throw_no_thread(which, error);
  }
}

}  // namespace kaon::runtime
