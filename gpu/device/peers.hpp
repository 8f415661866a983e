// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::gpu {

/// The devices of other processes of the host, and whether those of this process reach their memory. Processes may see
/// one device each, so no number says that: each exports a little memory, and who sends maps it. The first mapping of a
/// device's memory takes milliseconds and its end waits for all that the device does, so devices of some neighbors are
/// met as the run starts, and mappings stay until its end. Any thread.
class Peers {
 public:
  using ContactOf = std::function<std::vector<std::byte>(int process)>;

  explicit Peers(Driver& driver) : driver_(driver) {}
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  ~Peers();

  /// The contact data for other processes. `devices`: those of this process' PEs, which are in use.
  std::vector<std::byte> contact(std::span<const int> devices);
  /// `neighbors`: the other processes of the host, some of which are asked for their devices at once.
  void meet(std::span<const int> neighbors, ContactOf contact_of);
  /// True if `device` reaches that of a PE of another process of the host, or if nothing is known. Devices that reach
  /// each other do so in both directions.
  bool is_in_reach(int device, int process, PeId local_index);

 private:
  /// A device, and memory of it that other processes may map.
  struct Export {
    std::string device;  // Driver::identity()
    std::vector<std::byte> memory;
    template <class Archive>
    void pup(Archive& p) {
      p(device, memory);
    }
  };
  struct Own {
    int device;
    void* memory;
    Export exported;
  };
  const Own& export_of(int device);
  const std::vector<Export>& exports_of(int process);
  bool tries(int device, const Export& peer, int process);

  Driver& driver_;
  std::mutex lock_;  // guards all below
  std::vector<Own> own_;
  ContactOf contact_of_;
  std::map<int, std::vector<Export>> exports_;            // by process, of its PEs
  std::map<std::pair<int, std::string>, bool> in_reach_;  // of a device of ours, which
  std::vector<ImportedMemory> imported_;
};

}  // namespace kaon::gpu
