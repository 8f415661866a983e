// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/private_variables.hpp"

#include <algorithm>
#include <iterator>

namespace kaon::ampi {
namespace {

struct Name {
  std::string_view symbol;
  PrivateVariable variable;
};

constexpr Name kNames[] = {
    {"stdin", PrivateVariable::standard_input},
    {"stdout", PrivateVariable::standard_output},
    {"stderr", PrivateVariable::standard_error},
    {"environ", PrivateVariable::environment},
    {"__environ", PrivateVariable::environment},
    {"_environ", PrivateVariable::environment},
    {"optarg", PrivateVariable::option_argument},
    {"optind", PrivateVariable::option_index},
    {"opterr", PrivateVariable::option_errors},
    {"optopt", PrivateVariable::option_character},
    {"program_invocation_name", PrivateVariable::program_name},
    {"__progname_full", PrivateVariable::program_name},
    {"program_invocation_short_name", PrivateVariable::program_short_name},
    {"__progname", PrivateVariable::program_short_name},
    {"__libc_single_threaded", PrivateVariable::single_threaded},
    {"_ZSt3cin", PrivateVariable::cin},
    {"_ZSt4cout", PrivateVariable::cout},
    {"_ZSt4cerr", PrivateVariable::cerr},
    {"_ZSt4clog", PrivateVariable::clog},
    {"_ZSt4wcin", PrivateVariable::wcin},
    {"_ZSt5wcout", PrivateVariable::wcout},
    {"_ZSt5wcerr", PrivateVariable::wcerr},
    {"_ZSt5wclog", PrivateVariable::wclog},
};

}  // namespace

std::optional<PrivateVariable> find_private_variable(std::string_view symbol) {
  const auto* found =
      std::find_if(std::begin(kNames), std::end(kNames), [symbol](const Name& each) { return each.symbol == symbol; });
  if (found == std::end(kNames)) return std::nullopt;
  return found->variable;
}

}  // namespace kaon::ampi
