// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kaon/runtime/launch/interruption_watch.hpp"
#include "kaon/runtime/launch/lifelines.hpp"
#include "kaon/runtime/launch/run_folder.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

namespace kaon::launch {

// A process of a run that another program than kaonrun has started and watches. The processes exchange what they need
// of each other as the classes below this one know: the first of the run its secret, the first of each host a folder
// in shared memory, all of them where they may run.
class ForeignBootstrap : public Bootstrap {
 public:
  [[nodiscard]] const Seat& seat() const override { return seat_; }
  [[nodiscard]] const Secret& secret() const override { return secret_; }
  [[nodiscard]] SharedFolder shared_folder() const override { return folder_; }
  [[nodiscard]] Roster roster(int pes_per_process) const override { return {hosts_, pes_per_process}; }

 protected:
  using Bytes = std::vector<std::byte>;

  void take_seat(std::vector<int> hosts, int process);
  void take_secret(const Bytes& secret, const char* name);
  [[nodiscard]] int first_of_host() const;
  // `cores`: what a process of this host has told of where it may run.
  void share_cores(const std::function<Bytes(int process)>& cores);
  // nullptr: none are needed.
  [[nodiscard]] std::unique_ptr<Lifelines> make_lifelines(const std::string& interfaces, Lifelines::Lost lost) const;
  // Throws UsageError when there is no such one.
  void require_process(int process) const;

  InterruptionWatch watch_;
  std::optional<RunFolder> own_folder_;  // of the first process of its host
  std::vector<int> hosts_;               // by process
  Seat seat_;
  Secret secret_{};
  SharedFolder folder_;
  std::uint64_t program_hash_ = 0;
};

}  // namespace kaon::launch
