// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// While one is alive, the calling thread is in a library that gives up, by abort(), for a known reason: a mistake in
/// how the program is used. A crash report then says it, and the process ends with the code of a UsageError.
class AbortReason {
 public:
  /// `text` outlives it.
  explicit AbortReason(const char* text) noexcept;
  AbortReason(const AbortReason&) = delete;
  AbortReason& operator=(const AbortReason&) = delete;
  ~AbortReason();

  /// Returns the reason of the innermost one of this thread; nullptr if there is none. Signal handlers may call it.
  static const char* text() noexcept;

 private:
  const char* before_;
};

}  // namespace kaon::runtime
