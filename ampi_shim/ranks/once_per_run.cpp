// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/once_per_run.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace kaon::ampi {

bool OncePerRun::is_first(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return asked_.insert(name).second && is_first_process(name);
}

// A file that cannot be made, other than because it is there, costs a line too many, which is better than none.
bool OncePerRun::is_first_process(const std::string& name) const {
  if (folder_.empty()) return true;
  const int file = open((folder_ + "/once-" + name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return errno != EEXIST;
  close(file);
  return true;
}

}  // namespace kaon::ampi
