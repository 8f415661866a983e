// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/folder_keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

namespace kaon::launch {
namespace {

// A process that is just ending may still put something into a folder that is being taken away.
constexpr int kTries = 100;

// At the end, for a keeper that is stopped, say. The folder goes without it as well.
constexpr int kPatienceMs = 2000;

// Waits at descriptor 3 for a line or the end, in the background, so that it is no child of ours: who waits for all of
// his would wait for it. A program of its own, not a copy of this process: of what that writes to afterwards the copy
// would hold the former pages for as long as the run lasts.
constexpr const char* kScript =
    "{ read -r line; tries=0; "
    "while [ -e \"$0\" ] && [ $tries -lt 100 ]; do rm -rf -- \"$0\"; tries=$((tries + 1)); done; } <&3 &";

class SpawnActions {
 public:
  // It is the last that anybody should wait for, so it has nothing of ours open.
  explicit SpawnActions(int life) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, life, 3);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_RDWR, 0);
#if __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&actions_, 4);
#endif
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

class SpawnAttributes {
 public:
  // All signals blocked: neither a ctrl-C nor a signal to all of our group keeps it from its end.
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

// The shell that starts the keeper, or -1. None of the environment is its matter.
pid_t spawn_keeper(const std::string& folder, int life) {
  const std::array words{"sh", "-c", kScript, folder.c_str(), static_cast<const char*>(nullptr)};
  const std::array environment{"PATH=/usr/bin:/bin", static_cast<const char*>(nullptr)};
  pid_t shell = -1;
  const int error = posix_spawn(&shell, "/bin/sh", SpawnActions(life).get(), SpawnAttributes().get(),
                                const_cast<char* const*>(words.data()), const_cast<char* const*>(environment.data()));
  return error == 0 ? shell : -1;
}

}  // namespace

FolderKeeper::FolderKeeper(const std::string& folder) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  const Descriptor keepers(ends[0]);
  life_ = Descriptor(ends[1]);
  keeper_ = spawn_keeper(folder, keepers.number());
  while (keeper_ > 0 && waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// A line, not the end of ours: a process that this one has forked may have that open for long.
FolderKeeper::~FolderKeeper() {
  if (!life_.is_open() || send(life_.number(), "\n", 1, MSG_NOSIGNAL) != 1) return;
  pollfd gone{life_.number(), POLLIN, 0};
  while (poll(&gone, 1, kPatienceMs) < 0 && errno == EINTR) {
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
