// SPDX-License-Identifier: Apache-2.0
#pragma once
#if KAON_SANITIZES_THREADS
#include <atomic>
#endif

namespace kaon::machine_ucx {

/// Tells ThreadSanitizer that what threads of this process do behind an arrival comes after what others did before they
/// sent: messages through another process may order them, which it cannot see. Nothing in other builds. Races of
/// threads that messages of other pairs order only by chance are not found by runs of several processes, then.
inline void order_threads_by_network() {
#if KAON_SANITIZES_THREADS
  static std::atomic<bool> is_ordered = false;
  is_ordered.exchange(true, std::memory_order_acq_rel);
#endif
}

}  // namespace kaon::machine_ucx
