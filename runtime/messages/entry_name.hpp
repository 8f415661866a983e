// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// The name of an entry as users know it, in two parts that take no memory. `before` is empty or words such as
/// "constructor of "; `name` is a part of the compiler's rendering of a function with the template parameter
/// `E = &Block::run`. A rendering that is not understood is the name as a whole.
struct EntryName {
  std::string_view before;
  std::string_view name;
  bool is_constructor() const { return !before.empty(); }
};
EntryName entry_name(std::string_view rendering) noexcept;

/// Both parts.
std::string readable_name(std::string_view rendering);

/// Returns the part of such a rendering that stands for this template parameter, or all of it if there is none.
std::string_view type_in(std::string_view rendering, std::string_view parameter) noexcept;
std::string readable_type(std::string_view rendering, std::string_view parameter);

}  // namespace kaon::runtime
