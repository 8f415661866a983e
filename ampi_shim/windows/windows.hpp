// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <unordered_map>

#include "kaon/ampi_shim/datatypes/attributes.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/windows/window.hpp"

namespace kaon::ampi {

/// The windows of a rank, and the keys of their attributes.
class Windows final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::windows;
  explicit Windows(Rank&) {}
  ~Windows() override;

  /// nullptr: there is none, or it was freed.
  Window* find(Context context) const {
    const auto found = windows_.find(context);
    return found != windows_.end() ? found->second : nullptr;
  }
  void add(Window& window) { windows_[window.context()] = &window; }
  void remove(Window& window) { windows_.erase(window.context()); }

  Keyvals<MPI_Win> keyvals{1 << 20};  // the standard's own are below

 private:
  std::unordered_map<Context, Window*> windows_;
};

/// nullptr: MPI_WIN_NULL, a freed one, or none at all.
inline Window* find_window(const Rank& rank, MPI_Win handle) {
  if (reinterpret_cast<std::uintptr_t>(handle) < HandleWord::kFirst) return nullptr;
  return alive_at<Window>(handle, static_cast<std::uint64_t>(rank.number()));
}
/// Throws MpiFault instead.
Window& window_of(const Rank& rank, MPI_Win handle);

}  // namespace kaon::ampi
