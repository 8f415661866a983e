// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/context.hpp"

#include <ucs/config/global_opts.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "kaon/machine_ucx/device_memory.hpp"
#include "kaon/machine_ucx/device_modules.hpp"
#include "kaon/machine_ucx/floating_point.hpp"
#include "kaon/machine_ucx/status.hpp"
#include "kaon/machine_ucx/version.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::machine_ucx {

namespace {

// Between hosts. It listens at a port of an interface, so it is never there when all processes are on one host.
constexpr const char* kNetworkTransports = ",tcp";
constexpr const char* kLoopback = "lo";

// Of the receive queue of each PE: messages that may wait in it, and buffers, each for a message of up to 8 KiB, taken
// at once. UCX's own, 256 and 512, are 4.7 MB for each PE; these are 1.1 MB and measured as fast (shared_memory.hpp).
constexpr const char* kQueueMessages = "64";
constexpr const char* kQueueBuffers = "128";

// Bytes from which a payload is announced and then fetched from the sender's memory. By itself UCX does so from 5 KiB
// on, but up to here the system call of a fetch costs more than a second copy: 16 KiB take 2.4 us instead of 13, 64 KiB
// behind their header 6 instead of 6 to 30, depending on what else the machine does.
constexpr const char* kRendezvousBytes = "128k";

struct ReleaseConfig {
  void operator()(ucp_config_t* config) const { ucp_config_release(config); }
};
using Config = std::unique_ptr<ucp_config_t, ReleaseConfig>;

// A variable set by the user wins over our choice.
bool is_chosen_by_user(const char* variable) { return std::getenv(variable) != nullptr; }

void modify(ucp_config_t* config, const char* name, const char* value) {
  if (is_chosen_by_user((std::string("UCX_") + name).c_str())) return;
  const std::string what = std::string("setting UCX_") + name;
  check_status(ucp_config_modify(config, name, value), what.c_str());
}

std::string transports(const ContextSettings& settings) {
  std::string all = device_memory_of(settings.vendor).transports;
  if (settings.hosts > 1) all += kNetworkTransports;
  return all;
}

// Whether the transports that the user has chosen have TCP among them.
bool has_user_chosen_tcp() {
  const char* chosen = std::getenv("UCX_TLS");
  const std::string_view names = chosen != nullptr ? chosen : "";
  return names.starts_with('^') || names.find("tcp") != names.npos || names.find("all") != names.npos;
}

// Left alone, TCP would listen at every interface of a host.
void choose_loopback(ucp_config_t* config, const ContextSettings& settings) {
  if (!has_user_chosen_tcp()) return;
  modify(config, "NET_DEVICES", settings.interface.empty() ? kLoopback : settings.interface.c_str());
}

void choose_network(ucp_config_t* config, const ContextSettings& settings) {
  if (settings.hosts == 1) return choose_loopback(config, settings);
  if (settings.interface.empty() && !is_chosen_by_user("UCX_NET_DEVICES"))
    throw UsageError(
        "the processes of this run are on several hosts: name the interface of the network between them, as in "
        "--interface eth0; Kaon listens on no other");
  modify(config, "NET_DEVICES", settings.interface.c_str());
}

// Its own limit, 16 MB, would refuse a small run in a small container; we have looked ourselves.
void choose_shared_memory(ucp_config_t* config, const ContextSettings& settings) {
  modify(config, "POSIX_SHM_MIN_SIZE", "0");
  modify(config, "POSIX_FIFO_SIZE", kQueueMessages);
  modify(config, "POSIX_RX_BUFS_GROW", kQueueBuffers);
  if (!settings.shared_folder.empty()) modify(config, "POSIX_DIR", settings.shared_folder.c_str());
}

Config read_config(const ContextSettings& settings) {
  ucp_config_t* raw = nullptr;
  check_status(ucp_config_read(nullptr, nullptr, &raw), "reading the UCX_ variables of the environment");
  Config config(raw);
  modify(raw, "TLS", transports(settings).c_str());
  choose_network(raw, settings);
  choose_shared_memory(raw, settings);
  // Device memory is always fetched by the receiver's device where UCX finds that best; through the host, 8 B take 16
  // us instead of 8, and 64 KiB 90.
  modify(raw, "RNDV_THRESH", settings.vendor != DeviceVendor::none ? "auto" : kRendezvousBytes);
  return config;
}

void modify_global(const char* name, const char* value) {
  const std::string variable = std::string("UCX_") + name;
  if (is_chosen_by_user(variable.c_str())) return;
  check_status(ucs_global_opts_set_value(name, value), ("setting " + variable).c_str());
}

void choose_for_all() {
  modify_global("LOG_LEVEL", "error");  // it warns of matters that are no concern of a user of Kaon
  // Kaon says what memory it gives. To find out, UCX would patch a hundred functions of CUDA's, which takes 0.7 s at
  // the first connection, and as long again in each process that waits for that.
  modify_global("MEMTYPE_CACHE", "n");
}

void check_library(DeviceVendor vendor) {
  unsigned major = 0, minor = 0, release = 0;
  ucp_get_version(&major, &minor, &release);
  check_ucx_version(major, minor, vendor != DeviceVendor::none);
}

}  // namespace

Context::Context(const ContextSettings& settings)
    : vendor_(settings.vendor),
      network_(settings.interface),
      is_network_of_user_(is_chosen_by_user("UCX_NET_DEVICES") || is_chosen_by_user("UCX_TLS")),
      shared_folder_(settings.shared_folder) {
  const DefaultFloatingPoint no_traps;
  check_library(vendor_);
  choose_for_all();
  choose_device_modules(vendor_);
  const Config config = read_config(settings);
  if (settings.hosts > 1 && !is_network_of_user_) network_.require_usable();
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED | UCP_PARAM_FIELD_NAME;
  params.features = UCP_FEATURE_TAG | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  params.mt_workers_shared = 1;
  params.name = "kaon";
  const char* chosen = std::getenv("UCX_TLS");
  transports_ = chosen != nullptr ? chosen : transports(settings);
  check_status(ucp_init(&params, config.get(), &handle_), "starting UCX");
  query();
}

Context::~Context() { ucp_cleanup(handle_); }

std::string Context::describe() const {
  unsigned major = 0, minor = 0, release = 0;
  ucp_get_version(&major, &minor, &release);
  return "UCX " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release) + " with " +
         transports_;
}

void Context::query() {
  ucp_context_attr_t attributes{};
  attributes.field_mask = UCP_ATTR_FIELD_REQUEST_SIZE | UCP_ATTR_FIELD_THREAD_MODE;
  const ucs_status_t status = ucp_context_query(handle_, &attributes);
  if (status != UCS_OK || attributes.thread_mode != UCS_THREAD_MODE_MULTI) {
    ucp_cleanup(handle_);  // the destructor does not run when the constructor throws
    throw_status(status != UCS_OK ? status : UCS_ERR_UNSUPPORTED, "asking for workers of several threads");
  }
  request_bytes_ = attributes.request_size;
}

}  // namespace kaon::machine_ucx
