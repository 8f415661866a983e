// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kaon/runtime/launch/foreign_bootstrap.hpp"
#include "kaon/runtime/ports/peers.hpp"

namespace kaon::launch {

// A process of a program that has its own ways between its processes, which it lends. Whoever has started them watches
// them, and ends all when one is lost.
class PeersBootstrap final : public ForeignBootstrap {
 public:
  // Meets all others. Throws UsageError when `peers` make no sense.
  explicit PeersBootstrap(Peers peers);

  void use_network(const std::string& interfaces) override;
  void put(std::uint64_t program_hash, std::vector<std::byte> blob) override;
  void fence(std::chrono::milliseconds timeout) override;
  std::vector<std::byte> get(int process) override;
  void arrive() override;
  [[nodiscard]] bool is_released() override;
  [[noreturn]] void abort(int code, std::string_view text) override;

 private:
  // What all give, by process. Collective.
  [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> own) const;
  void find_seat();
  void share_secret();
  void share_folder();
  [[noreturn]] void end_by_loss(int process);

  Peers peers_;
  Bytes own_contact_;
  std::vector<Bytes> contacts_;
  std::unique_ptr<Lifelines> lifelines_;  // with several hosts
  std::atomic<bool> has_arrived_ = false;
  bool is_in_barrier_ = false;
};

}  // namespace kaon::launch
