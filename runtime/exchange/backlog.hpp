// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::runtime {

class Exchange;

/// When a PE gives back the credit of a batch that it has unpacked: at once while it has little to run, else when it
/// has run what the batch brought. So a slow receiver slows its senders, and holds at most a window of each; as what is
/// ready is run whatever happens, no credit waits for ever.
class Backlog {
 public:
  explicit Backlog(Exchange& exchange) : exchange_(exchange) {}

  void batch_is_unpacked(PeId sender);

 private:
  class Marker;
  static constexpr std::size_t kLittle = 256;  // pieces of work

  Exchange& exchange_;
};

}  // namespace kaon::runtime
