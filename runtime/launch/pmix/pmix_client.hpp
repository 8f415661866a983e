// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kaon/runtime/launch/pmix/meeting.hpp"

namespace kaon::launch {

struct PmixFunctions;

// This process among those of its job, as a client of the PMIx server that has started it. Values under names are
// published, and read by others after a fence. All but the constructor and destructor may be called by any thread.
// Mechanism: the PMIx standard (version 2 and later), "business cards" without collection where the launcher can do
// that: a process' values stay at its server until somebody asks for them.
class PmixClient {
 public:
  // Throws UsageError when there is no libpmix, or no server answers.
  PmixClient();
  PmixClient(const PmixClient&) = delete;
  PmixClient& operator=(const PmixClient&) = delete;
  ~PmixClient();

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  // By rank, its host, counted from 0 in the order of ranks.
  [[nodiscard]] std::vector<int> hosts() const;

  // For others once commit() and a fence have followed. `is_for_host`: only for those on this host.
  void put(const char* name, std::span<const std::byte> value, bool is_for_host = false);
  void commit();
  // What `rank` has put. Nothing: it has not, or its server does not answer within `limit`.
  [[nodiscard]] std::optional<std::vector<std::byte>> get(int rank, const char* name, std::chrono::seconds limit) const;

  // All ranks meet, which is kept until it has happened, whatever becomes of this object.
  void fence(const std::shared_ptr<Meeting>& all);

  // Asks the server to end all processes of the job with `code`, which it may not be able to give on. Returns, at the
  // latest after `limit`.
  void abort(int code, const std::string& text, std::chrono::milliseconds limit) const;

 private:
  [[nodiscard]] bool must_collect() const;

  const PmixFunctions& pmix_;
  int rank_ = 0;
  int ranks_ = 1;
  std::string job_;  // its name
  std::size_t handler_ = 0;
};

}  // namespace kaon::launch
