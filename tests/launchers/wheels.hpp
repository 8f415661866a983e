// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace kaon::testing {

/// Launchers that Debian does not have, of PyPI. The folder above bin and lib of a package, which is fetched into .deps
/// when it is not there yet. Nothing: it cannot be had, which the test's output says.
std::optional<std::string> open_mpi_5();
std::optional<std::string> mpich();

}  // namespace kaon::testing
