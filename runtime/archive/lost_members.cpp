// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/archive/lost_members.hpp"

#include <mutex>
#include <set>
#include <string>

#include "kaon/runtime/base/log.hpp"

namespace kaon::runtime::archive {

namespace {

/// What stands for T in the name of a function template, as compilers spell it.
std::string name_in(std::string_view rendering) {
  constexpr std::string_view kBefore = "T = ";
  const std::size_t begin = rendering.find(kBefore);
  if (begin == rendering.npos) return std::string(rendering);
  rendering.remove_prefix(begin + kBefore.size());
  return std::string(rendering.substr(0, rendering.find_first_of(";]")));
}

}  // namespace

void warn_lost_members(std::string_view rendering, std::size_t first_byte) {
  static std::mutex mutex;  // PEs of one process; only with --serialize-always
  static std::set<std::string> warned;
  const std::string name = name_in(rendering);
  const std::lock_guard lock(mutex);
  if (!warned.insert(name).second) return;
  log_warn("the pup of " + name + " does not carry all of it: from byte " + std::to_string(first_byte) +
           " of the object on, a copy differs. Archive every member, unless this one is left out on purpose");
}

}  // namespace kaon::runtime::archive
