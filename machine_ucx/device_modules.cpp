// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/device_modules.hpp"

#include <dlfcn.h>
#include <ucp/api/ucp.h>
#include <ucs/config/global_opts.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "kaon/machine_ucx/status.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::machine_ucx {
namespace {

// Of all vendors that UCX knows. A UCX that is too old for the choice loads them: false.
bool leave_out_modules() {
  const ucs_status_t status = ucs_global_opts_set_value("MODULES", "^cuda,rocm,ze");
  if (status != UCS_ERR_NO_ELEM) check_status(status, "setting UCX_MODULES");
  return status == UCS_OK;
}

// Modules are in a folder beside the library, which takes what they have to offer as they are loaded.
void load_module(const std::string& name) {
  Dl_info library{};
  dladdr(reinterpret_cast<const void*>(&ucp_get_version), &library);
  const auto folder = std::filesystem::path(library.dli_fname != nullptr ? library.dli_fname : "").parent_path();
  const std::string file = folder / "ucx" / ("libuct_" + name + ".so.0");
  if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    throw UsageError(std::string("UCX's module for devices cannot be loaded after a run without devices: ") +
                     dlerror() + "; set UCX_MODULES=all");
}

}  // namespace

void choose_device_modules(DeviceVendor vendor) {
  if (std::getenv("UCX_MODULES") != nullptr) return;
  static const bool are_left_out = vendor == DeviceVendor::none && leave_out_modules();  // by the first run
  if (are_left_out && vendor != DeviceVendor::none) load_module(vendor == DeviceVendor::nvidia ? "cuda" : "rocm");
}

}  // namespace kaon::machine_ucx
