// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/platform.hpp"

#include <cstdlib>
#include <sstream>
#include <vector>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/device/installed_devices.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/ports/machine.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

bool is_announced = false;

constexpr const char* visible_devices(Backend backend) {
  return backend == Backend::hip ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES";
}

// As the vendors read them: what follows an entry such as -1 is not visible.
std::vector<std::string> visible_entries(const std::string& list, int installed) {
  std::vector<std::string> entries;
  std::istringstream in(list);
  for (std::string entry; std::getline(in, entry, ',') && !entry.starts_with('-');) entries.push_back(entry);
  if (list.empty())
    for (int i = 0; i < installed; ++i) entries.push_back(std::to_string(i));
  return entries;
}

// A process that sees several devices would take memory on all of them. Returns what to warn of; empty: nothing.
std::string choose_visible_device(const Seat& seat) {
  const char* given = std::getenv(visible_devices(kVendor));
  const bool are_hidden = given != nullptr && *given == '\0';
  if (seat.processes_on_host < 2 || are_hidden) return {};
  const std::string list = given != nullptr ? given : "";
  const int installed = installed_devices(kVendor);
  const std::string mine = visible_device(list, installed, seat);
  if (!mine.empty()) setenv(visible_devices(kVendor), mine.c_str(), 1);
  return sharing_warning(list, installed, seat);
}

std::string built_backends() {
  std::string names = "host";
  for (const Backend backend : {Backend::cuda, Backend::hip})
    if (is_built(backend)) names += std::string(" and ") + std::string(name_of(backend));
  return names;
}

Backend wanted_backend(const std::string& name) {
  for (const Backend backend : {Backend::host, Backend::cuda, Backend::hip}) {
    if (name != name_of(backend)) continue;
    if (!is_built(backend))
      throw UsageError("--device " + name + ": this program was built with " + built_backends() +
                       "; build it with that back end, or choose another");
    return backend;
  }
  return kHasVendor ? kVendor : Backend::host;
}

std::unique_ptr<Driver> make_driver(const Options& options, const Seat& seat) {
  const Backend wanted = wanted_backend(options.device);
  if (wanted != Backend::host) {
    const std::string warning = choose_visible_device(seat);
    std::string why;
    if (auto driver = make_vendor_driver(why)) {
      if (!warning.empty()) log_warn(warning);
      return driver;
    }
    log_warn(std::string(name_of(wanted)) + ": " + why + ". Taking --device host, an emulation by threads");
  }
  return make_host_driver(host_settings("KAON_HOST_DEVICE"));
}

// Containers of one host may not see each other's descriptors; and the ways can be compared.
bool stages_through_network() {
  const char* given = std::getenv("KAON_STAGE_THROUGH");
  const std::string way = given != nullptr ? given : "memory";
  if (way != "memory" && way != "network")
    throw UsageError("KAON_STAGE_THROUGH=" + way + ": it is memory (shared by the processes of a host) or network");
  return way == "network";
}

}  // namespace

bool is_used() { return is_announced; }
bool announce_use() { return is_announced = true; }

std::string visible_device(const std::string& list, int installed, const Seat& seat) {
  const std::vector<std::string> entries = visible_entries(list, installed);
  if (entries.empty()) return {};
  return entries[static_cast<std::size_t>(seat.place_on_host) % entries.size()];
}

std::string sharing_warning(const std::string& list, int installed, const Seat& seat) {
  const std::size_t devices = visible_entries(list, installed).size();
  if (seat.place_on_host != 0 || devices == 0 || devices >= static_cast<std::size_t>(seat.processes_on_host)) return {};
  return std::to_string(seat.processes_on_host) + " processes share " + std::to_string(devices) +
         (devices == 1 ? " device and take turns on it" : " devices and take turns on them") +
         ", which costs 0.1 ms a message; start one process for each device and use --pes for more PEs" +
         (list.empty() ? "" : ". Never mind if every process was given a list of visible devices of its own");
}

Platform::Platform(const Options& options, const Seat& seat)
    : Platform(make_driver(options, seat), options.transport == "staged", seat, options.pes) {
  if (stages_through_network()) stages_in_shared_memory_ = false;
}

Platform::Platform(std::unique_ptr<Driver> driver, bool stages_all, const Seat& seat, int pes)
    : pes_(pes), stages_all_(stages_all), stages_in_shared_memory_(seat.hosts == 1), driver_(std::move(driver)) {
  for (int device = 0; device < driver_->devices(); ++device)
    for (int peer = 0; peer < driver_->devices(); ++peer)
      if (device != peer) driver_->enable_peer(device, peer);
}

Platform::~Platform() = default;

std::unique_ptr<Accelerator> Platform::make_accelerator(Pe& pe) {
  const auto local = static_cast<int>(pe.id() - pe.process().first_pe());
  const int number = local * driver_->devices() / pes_;
  driver_->use(number);
  return std::make_unique<Device>(*this, pe, number);
}

void Platform::warn_of_staging(const Region& region) const {
  log_warn("payloads in registered memory of " + std::to_string(region.bytes) +
           " bytes go through the host: " + region.staged_because);
}

}  // namespace kaon::gpu
