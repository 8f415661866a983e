// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <string_view>

#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/replacements/caller.hpp"

namespace kaon::ampi {
namespace {

bool is_name(const char* name) {
  return name != nullptr && *name != '\0' && std::string_view(name).find('=') == std::string_view::npos;
}

int refuse_name() {
  errno = EINVAL;
  return -1;
}

char* get(const char* name) { return caller_state().environment.get(name); }

int set(const char* name, const char* value, int overwrites) {
  if (!is_name(name)) return refuse_name();
  auto& environment = caller_state().environment;
  if (overwrites != 0 || environment.get(name) == nullptr) environment.set(name, value);
  return 0;
}

int put(char* string) {
  caller_state().environment.put(string);
  return 0;
}

int remove(const char* name) {
  if (!is_name(name)) return refuse_name();
  caller_state().environment.remove(name);
  return 0;
}

int clear() {
  caller_state().environment.clear();
  return 0;
}

}  // namespace

std::span<const Replacement> environment_functions() {
  static const Replacement all[] = {
      replace("getenv", get), replace("secure_getenv", get), replace("setenv", set),
      replace("putenv", put), replace("unsetenv", remove),   replace("clearenv", clear),
  };
  return all;
}

}  // namespace kaon::ampi
