// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kaon/runtime/launch/descriptor.hpp"
#include "kaon/runtime/launch/folder_keeper.hpp"
#include "kaon/runtime/ports/shared_folder.hpp"

namespace kaon::launch {

// The folder in shared memory of one run: made for it, and taken away with all that its processes have left there, a
// process that was killed at a bad moment, say. When all of a run are killed at once, down to the keeper of its folder,
// the next run of the same user does it: who holds a folder holds a lock on it, which ends with him.
class RunFolder {
 public:
  // Takes away what killed runs have left. Without shared memory there is no folder.
  explicit RunFolder(const std::string& shared_memory = "/dev/shm");
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  [[nodiscard]] const SharedFolder& shared() const noexcept { return shared_; }

 private:
  bool make(const std::string& shared_memory);

  SharedFolder shared_;
  Descriptor lock_;
  std::optional<FolderKeeper> keeper_;
};

}  // namespace kaon::launch
