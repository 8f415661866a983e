// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// What a user calls an entry, in two parts that take no memory: "constructor of " or nothing, and a part of the
/// compiler's rendering of a function with the template parameter `E = &Block::run`. A rendering that is not understood
/// is the name.
struct EntryName {
  std::string_view before;
  std::string_view name;
  bool is_constructor() const { return !before.empty(); }
};
EntryName entry_name(std::string_view rendering) noexcept;

/// Both parts.
std::string readable_name(std::string_view rendering);

/// What stands for the template parameter of this name in such a rendering: a part of it, or all when there is none.
std::string_view type_in(std::string_view rendering, std::string_view parameter) noexcept;
std::string readable_type(std::string_view rendering, std::string_view parameter);

}  // namespace kaon::runtime
