// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "kaon/ampi_shim/communicators/communicator.hpp"
#include "kaon/ampi_shim/datatypes/attributes.hpp"
#include "kaon/ampi_shim/datatypes/handled.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/windows/attached_memory.hpp"
#include "kaon/ampi_shim/windows/epochs.hpp"
#include "kaon/ampi_shim/windows/lock_queue.hpp"
#include "kaon/ampi_shim/windows/operation_order.hpp"
#include "kaon/ampi_shim/windows/signals.hpp"
#include "kaon/ampi_shim/windows/window_parts.hpp"

namespace kaon::ampi {

/// A rank's own part of a window, as MPI_Win_get_attr gives it.
struct OwnPart {
  std::byte* base = nullptr;
  MPI_Aint size = 0;  // bytes
  int unit = 1;       // bytes that a displacement counts
  int flavor = MPI_WIN_FLAVOR_CREATE;
  int model = MPI_WIN_UNIFIED;
  bool is_thread_local = false;  // some of it is there only while the rank is switched in
};

/// A window as one of its ranks has it: each member has an object of its own, which only that rank's PE touches. It
/// lives until all members have freed it.
class Window final : public Handled<0x006e6977206e6f61> {  // "aon win"
 public:
  Window(Rank& rank, CommunicatorRef communicator, const OwnPart& own);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();
  // Memory that a freed handle can be asked in.
  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory) noexcept;

  Rank& rank() const { return rank_; }
  /// A duplicate of the program's, for the window's own collectives.
  Communicator& communicator() const { return *communicator_; }
  Context context() const { return communicator_->context(Traffic::point_to_point); }
  MPI_Win handle() const { return reinterpret_cast<MPI_Win>(handle_word()); }
  bool is_dynamic() const { return own.flavor == MPI_WIN_FLAVOR_DYNAMIC; }

  const WindowPart& part(int member) const { return (*parts_)[member]; }
  PartControl& own_control() { return control_; }
  /// Once, when all parts are known.
  void set_parts(WindowParts::Shared parts);

  OwnPart own;
  Epochs epochs;
  AttachedMemory attached;
  OperationOrder order;  // of accumulates that come as messages
  std::string name;
  Attributes<MPI_Win> attributes;
  ErrorHandlerSlot errors;
  Info info;

  // --- Operations that have left as messages and are not answered.
  void operation_begins(int target);
  /// `error`: MPI_SUCCESS, or the class of what the target found.
  void operation_ended(int target, int error);
  int pending() const { return pending_; }
  int pending_at(int target) const;
  /// The first error since this was asked last.
  int take_error() { return std::exchange(error_, MPI_SUCCESS); }
  std::uint32_t next_sequence(int target) { return sequences_[target]++; }

  // --- Signals
  void take(const Signal& signal);
  /// How often `member` has posted, less the epochs that were started to it.
  int& posts_of(int member) { return posts_[member]; }
  int& completions() { return completions_; }
  int& grants() { return grants_; }

  /// Other threads, and processes that map a segment, see what this one has stored, and the other way round. Not a
  /// fence, which ThreadSanitizer does not know; the exchange is one on all processors that Kaon runs on.
  void order_memory() { ordered_.exchange(true, std::memory_order_seq_cst); }

  /// On the program's strand: until `condition()` holds, which a signal or an answer may change.
  template <class Condition>
  void wait_until(Condition condition, const char* what) {
    while (!condition()) wait_for_change(what);
  }

 private:
  class ChangeWait;
  void wait_for_change(const char* what);
  void changed() {
    if (waiter_ != nullptr) std::exchange(waiter_, nullptr)->make_ready();
  }
  void serve_lock();

  Rank& rank_;
  CommunicatorRef communicator_;
  PartControl control_;  // where it is not in a segment
  WindowParts::Shared parts_;
  std::optional<LockQueue> queue_;  // of the own part
  StackWaiter* waiter_ = nullptr;
  std::atomic<bool> ordered_ = false;
  int pending_ = 0;
  int error_ = MPI_SUCCESS;
  int completions_ = 0;
  int grants_ = 0;
  boost::unordered_flat_map<int, int> pending_at_;           // by target
  boost::unordered_flat_map<int, std::uint32_t> sequences_;  // of accumulates, by target
  boost::unordered_flat_map<int, int> posts_;                // by member
};

}  // namespace kaon::ampi
