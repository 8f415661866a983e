// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <atomic>

#include "kaon/ampi_shim/program/library_variables.hpp"
#include "kaon/ampi_shim/program/replacements.hpp"

namespace kaon::ampi {
namespace {

// Relaxed: set before the first program is loaded.
constinit std::atomic<bool> are_watched{false};

// As for all code of an image, which the dynamic linker does not know, it looks where ampirun's own libraries are
// looked for. A library that is loaded already was looked at then.
void* open_library(const char* file, int flags) {
  if (file == nullptr || !are_watched.load(std::memory_order_relaxed)) return dlopen(file, flags);
  const auto before = loaded_libraries();
  void* const library = dlopen(file, flags);
  if (library != nullptr) warn_of_shared_variables(before);
  return library;
}

}  // namespace

void watch_opened_libraries() noexcept { are_watched.store(true, std::memory_order_relaxed); }

std::span<const Replacement> library_functions() {
  static const Replacement all[] = {replace("dlopen", open_library)};
  return all;
}

}  // namespace kaon::ampi
