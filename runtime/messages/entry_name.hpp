// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// What a user calls an entry: `Block::run` out of the compiler's rendering of a function with the template parameter
/// `E = &Block::run`. A rendering that is not understood is returned whole.
std::string readable_name(std::string_view rendering);

}  // namespace kaon::runtime
