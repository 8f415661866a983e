// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "kaon/runtime/launch/descriptor.hpp"
#include "kaon/runtime/launch/wake.hpp"
#include "kaon/runtime/ports/secret.hpp"

namespace kaon::launch {

// Processes of several hosts hold a connection each to the one above them in a tree. The system closes it when a
// process dies, however that happens, and the other end learns of it at once; a host that is gone, or a link that stays
// down, is noticed by the probes of TCP (after 20 s). Nothing is sent while all is well. Both ends prove that they
// belong to the run, by codes of the connection; when all below have come, nobody listens any more.
class Lifelines {
 public:
  // On a thread of this object: `process` is gone without a farewell.
  using Lost = std::function<void(int process)>;

  // Listens at the first of the interfaces (as in "eth0,ib0") that has an address; at none of them when no process is
  // below. Throws UsageError when none has one.
  Lifelines(int process, int processes, const Secret& secret, const std::string& interfaces, Lost lost);
  Lifelines(const Lifelines&) = delete;
  Lifelines& operator=(const Lifelines&) = delete;
  // Bids farewell to all.
  ~Lifelines();

  // Where those below connect. Empty: there are none.
  [[nodiscard]] const std::vector<std::byte>& address() const noexcept { return address_; }
  // The process above; nothing for process 0.
  static std::optional<int> above(int process);
  // Connects to the process above. Throws LostPeer when it cannot be reached, or when the program at its port does not
  // belong to the run; OutOfMemory when this host has no port left.
  void hold(int process, std::span<const std::byte> address);

 private:
  struct Line {
    Descriptor socket;
    int process = -1;  // -1: it has not said who it is
    std::vector<std::byte> said;
  };

  void listen_at(const std::string& interfaces);
  [[nodiscard]] Descriptor connect_above(int process, std::span<const std::byte> address) const;
  void serve();
  [[nodiscard]] bool accept_some();
  void drop_oldest_stranger();
  [[nodiscard]] bool read(Line& line);
  [[nodiscard]] bool is_introduction(Line& line);
  [[nodiscard]] bool awaits(int process) const;
  [[nodiscard]] int count_below() const;

  const int process_;
  const int processes_;
  const Secret secret_;
  const Lost lost_;
  std::vector<std::byte> address_;
  std::mutex mutex_;  // of what follows; never held while waiting
  Descriptor listener_;
  std::vector<Line> lines_;
  int below_ = 0;  // that have come
  bool is_over_ = false;
  Wake wake_;
  std::thread thread_;
};

}  // namespace kaon::launch
