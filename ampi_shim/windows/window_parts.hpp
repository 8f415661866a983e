// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kaon/ampi_shim/communicators/context.hpp"
#include "kaon/ampi_shim/windows/futex_lock.hpp"
#include "kaon/ampi_shim/windows/shared_segment.hpp"
#include "kaon/ampi_shim/windows/window_lock.hpp"

namespace kaon::ampi {

/// How accesses to one rank's part of a window keep out of each other's way. In memory that all see who reach the part
/// directly. It has lines of a cache of its own.
struct alignas(64) PartControl {
  WindowLock lock;         // of MPI_Win_lock
  FutexLock accumulating;  // held while an accumulate reads and writes elements
};

/// The description of a member's part, when a window is made.
struct PartOffer {
  std::uint64_t base = 0;         // addresses in its process
  std::uint64_t control = 0;      // 0: it will be in the segment of its host
  std::int64_t size = 0;          // bytes
  std::int64_t unit = 1;          // bytes that a displacement counts
  std::uint64_t host = 0;         // equal for processes that can share memory
  std::int32_t is_reachable = 0;  // by loads and stores of the other ranks of its process
  std::int32_t padding = 0;       // offers travel as bytes
};

/// A rank's part of a window as its process reaches it.
struct WindowPart {
  std::byte* base = nullptr;       // where is_direct
  PartControl* control = nullptr;  // nullptr: only the target's process has it
  std::int64_t size = 0;
  std::int64_t unit = 1;
  bool is_direct = false;  // this process loads and stores there
};

/// Where the parts of an allocated window lie in the segment of each host: the controls of all parts, then their
/// memory, in the order of the members.
struct SegmentPlan {
  /// `is_packed`: each part begins where the one before it ends, as MPI_Win_allocate_shared has it.
  SegmentPlan(const std::vector<PartOffer>& offers, std::uint64_t host, bool is_packed, std::size_t alignment);

  std::vector<int> members;          // of this host
  std::vector<std::size_t> offsets;  // of their memory, one for each of these
  std::size_t bytes = 0;
};

/// The parts of one window, the same for all ranks of a process, with the segment that holds those of its host.
class WindowParts {
 public:
  using Shared = std::shared_ptr<const WindowParts>;  // by the ranks of this process

  /// The one of a window in this process, made by the rank that asks first.
  static Shared find_or_make(Context window, const std::function<std::unique_ptr<WindowParts>()>& make);

  /// Memory that the members brought. `is_local(member)`: it lives in this process.
  WindowParts(const std::vector<PartOffer>& offers, const std::function<bool(int)>& is_local);
  /// Memory that MPI allocates: those of this host lie in a segment, of the file of this path.
  WindowParts(const std::vector<PartOffer>& offers, const SegmentPlan& plan, const std::string& path);

  const WindowPart& operator[](int member) const { return parts_[static_cast<std::size_t>(member)]; }

 private:
  std::vector<WindowPart> parts_;
  std::optional<SharedSegment> segment_;
};

}  // namespace kaon::ampi
