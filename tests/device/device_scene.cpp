// SPDX-License-Identifier: Apache-2.0
#include "tests/device/device_scene.hpp"

#include <algorithm>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using Parcel = LoopbackNetwork::Parcel;

std::unique_ptr<gpu::Platform> make_platform(const DeviceSceneSettings& settings, int process) {
  gpu::HostSettings host = gpu::host_settings("KAON_HOST_DEVICE");  // what a scene does not say itself
  host.devices = settings.devices;
  if (host.queues > 0) host.queues = std::max(host.queues, settings.least_queues);
  host.memory_bytes = settings.memory;
  host.has_peer_access = settings.has_peer_access;
  host.seed = host.seed * 1'000'003 + settings.seed * 64 + static_cast<std::uint64_t>(process) + 1;
  gpu::EngineSettings engines{settings.stages_all, settings.stages_through_network};
  if (!settings.fetches) engines.most_fetched = 0;
  if (!settings.engines.empty()) engines = settings.engines[static_cast<std::size_t>(process)];
  std::unique_ptr<gpu::Driver> driver = gpu::make_host_driver(host);
  if (settings.notes != nullptr) driver = std::make_unique<NotingDriver>(std::move(driver), *settings.notes);
  return std::make_unique<gpu::Platform>(std::move(driver), engines, settings.shape.pes_per_process);
}

bool is_header_on_its_way(const LoopbackNetwork& wire) {
  return std::any_of(wire.pending().begin(), wire.pending().end(),
                     [](const Parcel& parcel) { return parcel.kind == LoopbackNetwork::Kind::data; });
}

const char* name_of(DeviceScene::First first) {
  switch (first) {
    case DeviceScene::First::headers:
      return "headers first";
    case DeviceScene::First::payloads:
      return "payloads first";
    default:
      return "any order";
  }
}

}  // namespace

DeviceScene::DeviceScene(const DeviceSceneSettings& settings)
    : scene_(settings.shape, settings.options, settings.seed) {
  for (int process = 0; process < settings.shape.processes; ++process)
    platforms_.push_back(make_platform(settings, process));
  for (PeId id = 0; id < network().pes(); ++id)
    network().on(id, [&](Pe& pe) {
      const auto process = static_cast<std::size_t>(network().roster().process_of(id));
      pe.attach(platforms_[process]->make_accelerator(pe));
    });
  if (settings.shape.processes > 1)
    for (auto& platform : platforms_) contacts_.push_back(platform->contact());
  for (int process = 0; process < settings.shape.processes; ++process)
    platforms_[static_cast<std::size_t>(process)]->meet(network().roster().neighbors_of(process), [this](int other) {
      return contacts_[static_cast<std::size_t>(other)];
    });
}

void DeviceScene::deliver_first(First first) {
  network().wire().hold([this, first](const Parcel& parcel) {
    if (first == First::headers)
      return parcel.kind == LoopbackNetwork::Kind::payload && is_header_on_its_way(network().wire());
    // Staged payloads that their receivers must ask for come behind their headers.
    return first == First::payloads && parcel.kind == LoopbackNetwork::Kind::data &&
           payloads(parcel.from).is_moving() && !payloads(parcel.from).engines().must_look();
  });
}

// By turns each worker of a resident scheduler has a multiprocessor alone, and none has, whatever the host is.
void run_on_devices(const Options& options, Scene::MainTask main_task, void (*before)()) {
  constexpr int kManyProcessors = 64;
  const Network::Shape shapes[] = {{1, 1}, {1, 3}, {3, 1}, {2, 2}};
  DeviceSceneSettings settings;
  DriverNotes notes;
  settings.options = options;
  settings.seed = 0;
  settings.notes = &notes;
  for (const Network::Shape& shape : shapes)
    for (const bool stages_all : {false, true})
      for (const auto first : {DeviceScene::First::either, DeviceScene::First::headers, DeviceScene::First::payloads}) {
        settings.shape = shape;
        settings.stages_all = stages_all;
        ++settings.seed;
        settings.stages_through_network = settings.seed % 4 < 2;
        settings.fetches = settings.seed % 3 > 0;
        notes.processors = settings.seed % 2 == 0 ? kManyProcessors : 1;
        INFO(shape.processes << " processes of " << shape.pes_per_process << " PEs, "
                             << (stages_all         ? "staged, "
                                 : settings.fetches ? "fetched, "
                                                    : "direct, ")
                             << (settings.stages_through_network ? "by network, " : "") << name_of(first) << ", seed "
                             << settings.seed);
        if (before != nullptr) before();
        DeviceScene scene(settings);
        scene.deliver_first(first);
        scene.run(main_task, static_cast<PeId>(settings.seed % scene.network().pes()));
      }
}

std::string fault_of(const Scene::MainTask& main_task) {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  DeviceScene scene(settings);
  return thrown<gpu::GpuError>([&] { scene.run(main_task); });
}

void run_on_devices(Scene::MainTask main_task, void (*before)()) {
  run_on_devices(default_options(), main_task, before);
}

}  // namespace kaon::testing
