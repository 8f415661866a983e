// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {

/// A device, its library or a kernel failed, or was asked for what it cannot do.
class GpuError : public runtime::Error {
 public:
  using runtime::Error::Error;
};

/// Throws GpuError unless `status`, of the vendor's library, is success. `meaning` completes "cannot ...".
void check_vendor(int status, std::string_view meaning);

/// The source's name of a type that typeid names `mangled`.
std::string readable_type(const char* mangled);

}  // namespace kaon::gpu
