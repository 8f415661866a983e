// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/backends/error.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace kaon::gpu {

std::string readable_type(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : mangled;
}

}  // namespace kaon::gpu
