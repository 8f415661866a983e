// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/descriptors.hpp"

#include <dirent.h>

#include <memory>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

// 0 where the system does not tell.
std::size_t count_open() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/fd"), &closedir);
  std::size_t entries = 0;
  while (folder != nullptr && readdir(folder.get()) != nullptr) ++entries;
  return entries < 3 ? 0 : entries - 3;  // this folder itself, and its two dots
}

}  // namespace

rlimit reserve_descriptors(std::size_t more, const std::string& whose) {
  rlimit before{};
  if (getrlimit(RLIMIT_NOFILE, &before) != 0) return before;
  const rlim_t wanted = count_open() + more;
  if (before.rlim_cur == RLIM_INFINITY || before.rlim_cur >= wanted) return before;
  const rlimit raised{wanted, before.rlim_max};
  if (wanted <= before.rlim_max && setrlimit(RLIMIT_NOFILE, &raised) == 0) return before;
  throw UsageError(whose + " needs up to " + std::to_string(wanted) + " file descriptors and may have " +
                   std::to_string(before.rlim_max) + ": raise `ulimit -n`, or use fewer processes or PEs");
}

}  // namespace kaon::runtime
