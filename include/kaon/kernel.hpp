// SPDX-License-Identifier: Apache-2.0
#pragma once
// For headers that hold kernels, which also a vendor's compiler reads; <kaon/gpu.hpp> has the rest.
#include "kaon/gpu/kernels/kernel.hpp"  // IWYU pragma: export
