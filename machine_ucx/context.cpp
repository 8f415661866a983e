// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/context.hpp"

#include <ucs/config/global_opts.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "kaon/machine_ucx/device_memory.hpp"
#include "kaon/machine_ucx/status.hpp"
#include "kaon/machine_ucx/version.hpp"

namespace kaon::machine_ucx {

namespace {

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

Config read_config(DeviceVendor vendor) {
  ucp_config_t* raw = nullptr;
  check_status(ucp_config_read(nullptr, nullptr, &raw), "reading the UCX_ variables of the environment");
  Config config(raw);
  modify(raw, "TLS", device_memory_of(vendor).transports);
  // Device memory is always fetched by the receiver's device where UCX finds that best; through the host, 8 B take 16
  // us instead of 8, and 64 KiB 90.
  modify(raw, "RNDV_THRESH", vendor != DeviceVendor::none ? "auto" : kRendezvousBytes);
  return config;
}

// UCX warns of matters that are no concern of a user of Kaon.
void quiet_log() {
  if (is_chosen_by_user("UCX_LOG_LEVEL")) return;
  check_status(ucs_global_opts_set_value("LOG_LEVEL", "error"), "setting the level of UCX's log");
}

void check_library(DeviceVendor vendor) {
  unsigned major = 0, minor = 0, release = 0;
  ucp_get_version(&major, &minor, &release);
  check_ucx_version(major, minor, vendor != DeviceVendor::none);
}

}  // namespace

Context::Context(DeviceVendor vendor) : vendor_(vendor) {
  check_library(vendor);
  quiet_log();
  const Config config = read_config(vendor);
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED | UCP_PARAM_FIELD_NAME;
  params.features = UCP_FEATURE_TAG | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  params.mt_workers_shared = 1;
  params.name = "kaon";
  check_status(ucp_init(&params, config.get(), &handle_), "starting UCX");
  query();
}

Context::~Context() { ucp_cleanup(handle_); }

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
