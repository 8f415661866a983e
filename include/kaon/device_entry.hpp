// SPDX-License-Identifier: Apache-2.0
#pragma once
// For headers that hold entries of devices, which also a vendor's compiler reads; <kaon/gpu.hpp> has the rest.
#include "kaon/gpu/resident/device/device_entries.hpp"   // IWYU pragma: export
#include "kaon/gpu/resident/device/resident_kernel.hpp"  // IWYU pragma: export
