// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// For each variable of the environment that looks like a misspelt one of Kaon's, a sentence that names the one meant.
/// `environment` as the C library's `environ`.
std::vector<std::string> misspelt_variables(const char* const* environment);

/// Returns advice on what to type if an option of kaonrun was given to a program; empty for other options.
std::string hint_at_kaonrun(std::string_view option);
/// Returns advice on what to type if an option of programs was given to kaonrun; empty for other options.
std::string hint_at_program(std::string_view option);

/// Why an option, or a variable of the environment, that earlier versions knew is gone; empty for all others.
std::string hint_at_removed(std::string_view word);

/// Returns advice on what to type instead of an option of Charm++ (+p4, ++ppn); empty for other words.
std::string hint_at_option_of_charm(std::string_view word);

}  // namespace kaon::runtime
