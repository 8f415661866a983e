// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/device/card.hpp"
#include "kaon/gpu/device/free_gate.hpp"
#include "kaon/gpu/device/peers.hpp"
#include "kaon/gpu/device/region.hpp"
#include "kaon/gpu/device/segments.hpp"
#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/gpu/device/visible_devices.hpp"
#include "kaon/gpu/engines/engines.hpp"
#include "kaon/gpu/engines/notice_boards.hpp"
#include "kaon/runtime/base/options.hpp"
#include "kaon/runtime/pe/devices.hpp"
#include "kaon/runtime/ports/seat.hpp"

namespace kaon::gpu {

/// The devices of a process: the back end that was chosen, and the memory that all its PEs know of.
class Platform final : public Devices {
 public:
  /// Chooses the back end by --device, and with several processes on a host the device. `auto` takes the emulation
  /// where there is no device, and says so on the log. Throws UsageError for a back end that was not built or finds no
  /// device.
  Platform(const Options& options, const Seat& seat);
  /// Over a driver that is there already, for a process of this number of PEs.
  Platform(std::unique_ptr<Driver> driver, const EngineSettings& engines, int pes, std::size_t most_bytes = 0);
  ~Platform() override;

  Driver& driver() { return *driver_; }
  /// The card of a device that is in use. Any thread.
  Card& card(int number);
  Peers& peers() { return peers_; }
  Segments& segments() { return segments_; }
  SharedFlags& shared_flags() { return shared_flags_; }
  NoticeBoards& notice_boards() { return notice_boards_; }
  /// How many PEs of the process share this device.
  unsigned pes_of(int device) const;
  /// True if all PEs of the process use the same device.
  bool has_one_device() const { return pes_of(devices_.front()) == static_cast<unsigned>(pes_); }
  const EngineSettings& engine_settings() const { return engines_; }
  /// nullptr for a process alone.
  Machine* machine() { return machine_; }

  DeviceVendor vendor() const override;
  void use_machine(Machine* machine) override { machine_ = machine; }
  /// PEs share the devices evenly, neighbors together. Only those that a PE gets are started.
  std::unique_ptr<Accelerator> make_accelerator(Pe& pe) override;
  std::vector<std::byte> contact() override;
  void meet(std::span<const int> neighbors, ContactOf contact_of) override;

 private:
  int device_of(int local_pe) const;

  int pes_;
  EngineSettings engines_;
  std::unique_ptr<Driver> driver_;
  std::vector<int> devices_;  // those that this program can use
  std::size_t most_bytes_;    // of each device's memory; 0: all of it
  Peers peers_;
  Segments segments_;
  SharedFlags shared_flags_;
  NoticeBoards notice_boards_;
  RegionTable regions_;
  FreeGate free_gate_;
  Arena pinned_;     // of the host, which all devices reach
  std::mutex lock_;  // guards cards_
  std::map<int, Card> cards_;
  Machine* machine_ = nullptr;
};

}  // namespace kaon::gpu
