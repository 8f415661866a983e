// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace kaon::testing {

/// Launchers that Debian does not have, of PyPI. The folder above bin and lib of a package, which is fetched into .deps
/// when it is not there yet. Nothing: it cannot be had, which the test's output says.
std::optional<std::string> open_mpi_5();
std::optional<std::string> mpich();

/// Where the UCX is that Kaon was built with, for LD_LIBRARY_PATH: an MPI of a wheel has one of its own.
std::string ucx_libraries();

}  // namespace kaon::testing
