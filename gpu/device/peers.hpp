// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::gpu {

/// The devices of other processes of the host, and whether those of this process reach their memory. Processes may see
/// one device each, so no number says that: each exports a little memory, and who sends maps it once and lets it go.
/// Any thread.
class Peers {
 public:
  using ContactOf = std::function<std::vector<std::byte>(int process)>;

  explicit Peers(Driver& driver) : driver_(driver) {}
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  ~Peers();

  /// What others need to know; `devices`: those of this process' PEs, which are in use.
  std::vector<std::byte> contact(std::span<const int> devices);
  void meet(ContactOf contact_of);
  /// Whether `device` reaches that of a PE of another process of the host. Devices that reach each other do so in both
  /// directions. True where nothing is known.
  bool is_in_reach(int device, int process, PeId local_index);

 private:
  using Exported = std::vector<std::byte>;
  struct Own {
    int device;
    void* memory;
    Exported exported;
  };
  const Own& export_of(int device);
  const std::vector<Exported>& exports_of(int process);

  Driver& driver_;
  std::mutex lock_;  // guards all below
  std::vector<Own> own_;
  ContactOf contact_of_;
  std::map<int, std::vector<Exported>> exports_;       // by process, of its PEs
  std::map<std::pair<int, Exported>, bool> in_reach_;  // of a device of ours, what
};

}  // namespace kaon::gpu
