// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kaon/runtime/launch/foreign_bootstrap.hpp"
#include "kaon/runtime/launch/pmix/pmix_client.hpp"

namespace kaon::launch {

// The side of a process that a launcher has started which speaks PMIx: mpirun of Open MPI, prterun, srun. That launcher
// watches the processes, and ends all when one is lost. What they exchange is
// published at its servers.
class PmixBootstrap final : public ForeignBootstrap {
 public:
  // Meets all others. Throws LostPeer when some do not come, UsageError when the launcher's PMIx does not work.
  PmixBootstrap();

  void use_network(const std::string& interfaces) override;
  void put(std::uint64_t program_hash, std::vector<std::byte> blob) override;
  void fence(std::chrono::milliseconds timeout) override;
  std::vector<std::byte> get(int process) override;
  void arrive() override;
  [[nodiscard]] bool is_released() override { return end_->has_happened(); }
  [[noreturn]] void abort(int code, std::string_view text) override;

 private:
  void refuse_second() const;
  void introduce();
  void learn();
  void publish(const char* what, std::span<const std::byte> value, bool is_for_host = false);
  void wait_for_all(std::chrono::milliseconds limit, const char* published);
  [[nodiscard]] std::string missing(const char* published) const;
  [[nodiscard]] std::string named(const char* what) const { return what + ("." + std::to_string(join_)); }
  [[nodiscard]] std::vector<std::byte> wanted(int process, const char* what) const;
  void begin_to_end();
  [[noreturn]] void end_by_loss(int process);

  // Processes may join again when they have left, all of them: values are published once under a name.
  const int join_;
  PmixClient client_;                     // leaves the job before the folder goes
  std::unique_ptr<Lifelines> lifelines_;  // with several hosts: launchers may let the others go on when one is lost
  std::atomic<bool> is_ending_ = false;
  std::shared_ptr<Meeting> end_ = std::make_shared<Meeting>();
};

}  // namespace kaon::launch
