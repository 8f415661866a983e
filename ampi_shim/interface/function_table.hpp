// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace kaon::ampi {

/// libmpi_abi.so of this build or installation: in the lib beside the folder of this program. Throws UsageError: it is
/// not there.
std::filesystem::path mpi_library_of_this_program();

/// Loads it for all that this process loads later: MPI calls of such programs lead to the functions that are linked
/// into this one. To be called once, before the first program is loaded. Throws UsageError.
void load_mpi_library(const std::filesystem::path& library = mpi_library_of_this_program());

}  // namespace kaon::ampi
