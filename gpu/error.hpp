// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {

struct Grid;

/// A device, its library or a kernel failed, or was asked for what it cannot do.
class GpuError : public Error {
 public:
  using Error::Error;
};

/// Throws GpuError unless `status`, of the vendor's library, is success. `meaning` completes "cannot ...".
void check_vendor(int status, std::string_view meaning);

/// Throws GpuError with the kernel's name for a grid that no back end runs, so that the emulation refuses what a device
/// would. `kernel` is the type's name as typeid gives it, `most_threads` what a block of it may have.
void check_grid(const Grid& grid, const char* kernel, unsigned most_threads);

/// The source's name of a type that typeid names `mangled`.
std::string readable_type(const char* mangled);

}  // namespace kaon::gpu
