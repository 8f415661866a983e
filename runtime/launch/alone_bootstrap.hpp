// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kaon/runtime/launch/interruption_watch.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

namespace kaon::launch {

// A run of one process: nobody to wait for.
class AloneBootstrap final : public Bootstrap {
 public:
  AloneBootstrap();

  [[nodiscard]] const Seat& seat() const override { return seat_; }
  [[nodiscard]] const Secret& secret() const override { return secret_; }
  void put(std::uint64_t program_hash, std::vector<std::byte> blob) override;
  void fence(std::chrono::milliseconds timeout) override;
  std::vector<std::byte> get(int process) override;
  void arrive() override {}
  [[nodiscard]] bool is_released() override { return true; }
  [[noreturn]] void abort(int code, std::string_view text) override;

 private:
  Seat seat_;
  Secret secret_;
  std::vector<std::byte> blob_;
  InterruptionWatch watch_;
};

}  // namespace kaon::launch
