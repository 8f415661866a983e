// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/program/hooks.hpp"

namespace kaon::ampi {

/// The hooks for the program of a rank: its output, and functions that would hold up a thread of many ranks. The owner
/// of an image is its Rank.
ProgramHooks program_hooks();

}  // namespace kaon::ampi
