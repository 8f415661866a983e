// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace kaon::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "kaon-run-";
constexpr int kTries = 10;

// Open and ours alone, or not open: somebody else holds it, or it is not there any more.
Descriptor lock_folder(const std::string& path) {
  Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  if (!folder.is_open() || flock(folder.number(), LOCK_EX | LOCK_NB) != 0) return {};
  if (fstat(folder.number(), &found) != 0 || found.st_nlink == 0) return {};
  return folder;
}

bool is_ours(const std::string& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid();
}

void sweep(const std::string& shared_memory) {
  std::error_code ignored;
  for (fs::directory_iterator at(shared_memory, ignored), end; !ignored && at != end; at.increment(ignored)) {
    const std::string path = at->path();
    if (!at->path().filename().string().starts_with(kPrefix) || !is_ours(path)) continue;
    if (lock_folder(path).is_open()) remove_folder(path);
  }
}

std::uint64_t free_bytes(const std::string& path) {
  struct statvfs found {};
  return statvfs(path.c_str(), &found) == 0 ? std::uint64_t{found.f_bavail} * found.f_frsize : 0;
}

}  // namespace

RunFolder::RunFolder(const std::string& shared_memory) {
  sweep(shared_memory);
  // Another run that sweeps may take it between its making and its lock.
  for (int tries = 0; tries < kTries && !lock_.is_open(); ++tries)
    if (!make(shared_memory)) return;
  if (!lock_.is_open()) return;
  shared_.free_bytes = free_bytes(shared_.path);
  keeper_.emplace(shared_.path);
}

// False: it cannot be made.
bool RunFolder::make(const std::string& shared_memory) {
  std::string path = shared_memory + "/" + kPrefix + "XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return false;  // for its user alone
  lock_ = lock_folder(path);
  if (lock_.is_open()) shared_.path = std::move(path);
  return true;
}

RunFolder::~RunFolder() {
  if (!shared_.path.empty()) remove_folder(shared_.path);
  keeper_.reset();
}

}  // namespace kaon::launch
