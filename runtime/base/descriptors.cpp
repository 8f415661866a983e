// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/descriptors.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

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
  throw UsageError(whose + " needs up to " + std::to_string(wanted) + " file descriptors, and the hard limit is " +
                   std::to_string(before.rlim_max) +
                   ": let root raise it by `ulimit -n` or in /etc/security/limits.conf, or use fewer processes or PEs");
}

// In their order, as the lowest number that is free is given.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1) (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace kaon::runtime
