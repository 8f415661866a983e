// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kaon/runtime/base/topology.hpp"
#include "kaon/runtime/ports/shared_folder.hpp"

namespace kaon::launch {

// What processes tell each other before they have joined, as bytes. `name` is for the CorruptMessage that is thrown
// when they make no sense.
std::vector<std::byte> packed(const SharedFolder& folder);
SharedFolder unpacked_folder(const std::vector<std::byte>& packed, const char* name);
ProcessorMask unpacked_mask(const std::vector<std::byte>& packed);
[[noreturn]] void throw_unreadable(const char* name);

}  // namespace kaon::launch
