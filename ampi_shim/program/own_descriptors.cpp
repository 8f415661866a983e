// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/own_descriptors.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace kaon::ampi {

OwnDescriptors::OwnDescriptors() {
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    const int number = std::atoi(entry->d_name);
    struct stat found {};
    if (number <= STDERR_FILENO || number == dirfd(folder) || fstat(number, &found) != 0) continue;
    known_.push_back({number, found.st_dev, found.st_ino});
  }
  closedir(folder);
  std::sort(known_.begin(), known_.end(), [](const Known& a, const Known& b) { return a.number < b.number; });
}

const OwnDescriptors& OwnDescriptors::here() {
  static const OwnDescriptors& all = *new OwnDescriptors;  // threads may run on while the process ends
  return all;
}

bool OwnDescriptors::has(int number) const {
  const auto place = std::lower_bound(known_.begin(), known_.end(), number,
                                      [](const Known& each, int wanted) { return each.number < wanted; });
  if (place == known_.end() || place->number != number) return false;
  struct stat now {};
  return fstat(number, &now) == 0 && now.st_dev == place->device && now.st_ino == place->file;
}

}  // namespace kaon::ampi
