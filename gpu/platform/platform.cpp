// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/platform/platform.hpp"

#include <cstdlib>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/runtime/archive/packed.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/base/testing_settings.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

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
  if (wanted == Backend::host) return make_host_driver(host_settings("KAON_HOST_DEVICE"));
  const std::string warning = choose_visible_device(wanted, seat);
  std::string why;
  if (auto driver = make_vendor_driver(why)) {
    if (!warning.empty()) log_warn(warning);
    return driver;
  }
  const bool is_chosen_for_us = options.device.empty() || options.device == "auto";
  if (!is_chosen_for_us)
    throw UsageError("--device " + options.device + ": " + why +
                     ". With --device auto the program takes an emulation where there is no device");
  log_warn(std::string(name_of(wanted)) + ": " + why + ". Taking --device host, an emulation by threads");
  return make_host_driver(host_settings("KAON_HOST_DEVICE"));
}

// Those that it cannot are left alone, and named if there is no other.
std::vector<int> usable_devices(const Driver& driver) {
  std::vector<int> usable;
  std::string reasons;
  for (int device = 0; device < driver.devices(); ++device) {
    const std::string why = driver.why_unusable(device);
    if (why.empty())
      usable.push_back(device);
    else
      reasons += "\n  " + why;
  }
  if (usable.empty()) throw UsageError("no device can be used:" + reasons);
  if (!reasons.empty()) log_warn("devices are left out:" + reasons);
  return usable;
}

// For KAON_CARRY_UP_TO and KAON_FETCH_UP_TO: 0 switches it off, to compare.
std::size_t bytes_of(const char* variable, std::size_t otherwise) {
  const char* const given = std::getenv(variable);
  if (given == nullptr) return otherwise;
  char* end = nullptr;
  const unsigned long bytes = std::strtoul(given, &end, 10);
  if (end == given || *end != '\0' || *given == '-' || bytes > (1U << 20))
    throw UsageError(std::string(variable) + "=" + given + ": it is a number of bytes, up to 1048576");
  return bytes;
}

EngineSettings wanted_engines(const Options& options) {
  EngineSettings settings;
  settings.stages_all = options.transport == "staged";
  settings.stages_through_network = testing_settings().stages_through_network;
  settings.most_carried = bytes_of("KAON_CARRY_UP_TO", settings.most_carried);
  settings.most_fetched = bytes_of("KAON_FETCH_UP_TO", settings.most_fetched);
  return settings;
}

/// What a process tells the others of its devices.
struct DevicesContact {
  std::vector<std::byte> peers;
  SharedMapping::Address boards;  // of nobody where none are used
  template <class Archive>
  void pup(Archive& archive) {
    archive(peers, boards);
  }
};

}  // namespace

Platform::Platform(const Options& options, const Seat& seat)
    : Platform(make_driver(options, seat), wanted_engines(options), options.pes, options.device_memory_mib << 20) {}

Platform::Platform(std::unique_ptr<Driver> driver, const EngineSettings& engines, int pes, std::size_t most_bytes)
    : pes_(pes),
      engines_(engines),
      driver_(std::move(driver)),
      devices_(usable_devices(*driver_)),
      most_bytes_(most_bytes),
      peers_(*driver_),
      segments_(*driver_),
      shared_flags_(*driver_),
      notice_boards_(*driver_, pes),
      pinned_(*driver_, regions_,
              {.kind = Arena::Kind::pinned, .is_emulated = driver_->backend() == Backend::host, .gate = &free_gate_}) {}

Platform::~Platform() = default;

DeviceVendor Platform::vendor() const {
  switch (driver_->backend()) {
    case Backend::cuda:
      return DeviceVendor::nvidia;
    case Backend::hip:
      return DeviceVendor::amd;
    case Backend::host:
      break;
  }
  return DeviceVendor::none;
}

int Platform::device_of(int local_pe) const {
  return devices_[static_cast<std::size_t>(local_pe) * devices_.size() / static_cast<std::size_t>(pes_)];
}

unsigned Platform::pes_of(int device) const {
  unsigned count = 0;
  for (int pe = 0; pe < pes_; ++pe) count += device_of(pe) == device ? 1 : 0;
  return count;
}

std::vector<std::byte> Platform::contact() {
  std::vector<int> devices;
  for (int pe = 0; pe < pes_; ++pe) devices.push_back(device_of(pe));
  DevicesContact contact{peers_.contact(devices), {}};
  if (engines_.posts_notices()) contact.boards = notice_boards_.address();
  return runtime::packed_bytes(contact);
}

// What is staged needs no reach.
void Platform::meet(std::span<const int> neighbors, ContactOf contact_of) {
  const auto contact = [contact_of = std::move(contact_of)](int process) {
    const std::vector<std::byte> bytes = contact_of(process);
    DevicesContact decoded;
    if (!bytes.empty()) Reader(bytes.data(), bytes.size())(decoded);
    return decoded;
  };
  notice_boards_.meet([contact](int process) { return contact(process).boards; });
  peers_.meet(engines_.stages_all ? std::span<const int>() : neighbors,
              [contact](int process) { return contact(process).peers; });
}

std::unique_ptr<Accelerator> Platform::make_accelerator(Pe& pe) {
  const auto local = static_cast<int>(pe.id() - pe.process().first_pe());
  const int number = device_of(local);
  driver_->use(number);
  return std::make_unique<DevicePayloads>(*this, card(number), pe);
}

Card& Platform::card(int number) {
  const std::lock_guard hold(lock_);
  return cards_.try_emplace(number, *driver_, regions_, pinned_, free_gate_, number, most_bytes_).first->second;
}

}  // namespace kaon::gpu
