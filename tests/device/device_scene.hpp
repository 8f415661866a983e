// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <kaon/gpu.hpp>

#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/device/noting_driver.hpp"

namespace kaon::testing {

/// How the processes of a DeviceScene are set up.
struct DeviceSceneSettings {
  Network::Shape shape{2, 1};
  std::uint64_t seed = 1;  // of who runs, what arrives and which stream goes on
  bool stages_all = false;
  bool stages_through_network = false;        // else through memory that processes share
  bool fetches = true;                        // else the network moves what is not staged
  std::vector<gpu::EngineSettings> engines;   // by process, instead of the three above; empty: those
  bool has_peer_access = true;                // devices reach those of other processes
  int devices = 1;                            // of each process
  int least_queues = 0;                       // of each device, where KAON_HOST_DEVICE gives it fewer
  std::size_t memory = std::size_t{1} << 30;  // bytes of each device; only what is used is really taken
  Options options = default_options();
  DriverNotes* notes = nullptr;  // of what all drivers are asked for
};

/// A Scene whose processes have emulated devices. Everything happens on this thread: the seed also chooses which stream
/// does its next piece of work.
class DeviceScene {
 public:
  explicit DeviceScene(const DeviceSceneSettings& settings);
  DeviceScene(const DeviceScene&) = delete;
  DeviceScene& operator=(const DeviceScene&) = delete;

  void run(Scene::MainTask main_task, PeId pe = 0) { scene_.run(main_task, pe); }
  Scene& scene() { return scene_; }
  Network& network() { return scene_.network(); }
  gpu::DevicePayloads& payloads(PeId pe) { return static_cast<gpu::DevicePayloads&>(network().pe(pe).accelerator()); }
  gpu::Device& device(PeId pe) { return payloads(pe).device(); }
  /// The part of messages that arrives first from now on: the message itself or its payloads.
  enum class First : std::uint8_t { either, headers, payloads };
  void deliver_first(First first);

 private:
  std::vector<std::vector<std::byte>> contacts_;           // by process
  std::vector<std::unique_ptr<gpu::Platform>> platforms_;  // they go after the processes
  Scene scene_;
};

/// The fault of a device that a run of one PE ends with.
std::string fault_of(const Scene::MainTask& main_task);

/// Runs `main_task` on devices in several shapes, directly and staged, in several orders; `before` each.
void run_on_devices(Scene::MainTask main_task, void (*before)() = nullptr);
void run_on_devices(const Options& options, Scene::MainTask main_task, void (*before)() = nullptr);

}  // namespace kaon::testing
