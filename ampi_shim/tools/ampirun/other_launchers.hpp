// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace kaon::ampi {

// Options of mpirun and mpiexec of Open MPI and MPICH, which scripts written for these launchers have.

/// An option without a value that asks for what ampirun always does, such as --oversubscribe.
bool is_always_satisfied(const std::string& argument);

/// Throws UsageError for an option of another launcher that ampirun does not have; the text names the replacement.
void refuse_option_of_other_launcher(const std::string& argument);

}  // namespace kaon::ampi
