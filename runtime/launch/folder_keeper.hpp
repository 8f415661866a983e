// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

#include "kaon/runtime/launch/descriptor.hpp"

namespace kaon::launch {

// Takes a folder away when this process is gone, however it went: a small process of its own, in no group and on no
// terminal of ours, waits for that. Where none can be started, the folder is kept without.
class FolderKeeper {
 public:
  explicit FolderKeeper(const std::string& folder);
  FolderKeeper(const FolderKeeper&) = delete;
  FolderKeeper& operator=(const FolderKeeper&) = delete;
  // The folder goes now; returns when it has.
  ~FolderKeeper();

 private:
  Descriptor life_;  // the writing end of a pipe, which ends with us
  pid_t keeper_ = -1;
};

// With all that is in it. What cannot be taken away stays: another run may be doing the same.
void remove_folder(const std::string& folder) noexcept;

}  // namespace kaon::launch
