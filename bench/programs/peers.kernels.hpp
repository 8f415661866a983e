// SPDX-License-Identifier: Apache-2.0
#pragma once
// The entries of the other benchmark of device entries.
#include "bench/programs/dispatch.kernels.hpp"  // IWYU pragma: export
