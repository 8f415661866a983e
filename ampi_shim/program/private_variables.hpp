// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace kaon::ampi {

/// Variables of the C and C++ libraries of which each image has its own. The program sees its own where its code names
/// the variable; the libraries' own code goes on to use theirs, so functions that use such a variable are replaced.
enum class PrivateVariable : unsigned char {
  standard_input,
  standard_output,
  standard_error,
  environment,
  option_argument,
  option_index,
  option_errors,
  option_character,
  program_name,
  program_short_name,
  single_threaded,
  cin,
  cout,
  cerr,
  clog,
  wcin,
  wcout,
  wcerr,
  wclog,
  count  // of the others
};

inline constexpr auto kPrivateVariables = static_cast<std::size_t>(PrivateVariable::count);

/// By the name of the symbol; aliases are one variable.
std::optional<PrivateVariable> find_private_variable(std::string_view symbol);

}  // namespace kaon::ampi
