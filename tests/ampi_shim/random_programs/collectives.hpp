// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ampi_shim/random_programs/families.hpp"
#include "tests/ampi_shim/random_programs/plan.hpp"
#include "tests/ampi_shim/random_programs/requests.hpp"

/// Starts a collective, or runs it; what it gives is compared with what it must, now or when its request is complete.
void run_collective(const Collective& what, const Families& families, int rank, Requests& requests);
