// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// What a user calls an entry: `Block::run` out of the compiler's rendering of a function with the template parameter
/// `E = &Block::run`. A rendering that is not understood is returned whole.
std::string readable_name(std::string_view rendering);

/// What stands for the template parameter of this name in such a rendering.
std::string readable_type(std::string_view rendering, std::string_view parameter);

}  // namespace kaon::runtime
