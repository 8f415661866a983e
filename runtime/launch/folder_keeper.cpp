// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/folder_keeper.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

namespace kaon::launch {
namespace {

// A process that is just ending may still put something into a folder that is being taken away.
constexpr int kTries = 100;

void close_all_but(int kept) {
  if (kept > 0) close_range(0, static_cast<unsigned>(kept) - 1, 0);
  close_range(static_cast<unsigned>(kept) + 1, ~0U, 0);
}

// In the new process, with all signals blocked: neither a ctrl-C nor a signal to all of our name keeps it from its end.
[[noreturn]] void keep(const std::string& folder, int life) {
  setsid();
  close_all_but(life);  // it is the last that anybody should wait for
  char nothing = 0;
  while (read(life, &nothing, 1) < 0 && errno == EINTR) {
  }
  remove_folder(folder);
  _exit(0);
}

}  // namespace

FolderKeeper::FolderKeeper(const std::string& folder) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  const Descriptor reading(ends[0]);
  life_ = Descriptor(ends[1]);
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);  // already as it is made: a signal to our group may come at any time
  keeper_ = fork();
  if (keeper_ == 0) keep(folder, reading.number());
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

FolderKeeper::~FolderKeeper() {
  life_.close();
  while (keeper_ > 0 && waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void remove_folder(const std::string& folder) noexcept {
  std::error_code error;
  for (int tries = 0; tries < kTries; ++tries) {
    std::filesystem::remove_all(folder, error);
    if (error != std::errc::directory_not_empty) return;
  }
}

}  // namespace kaon::launch
