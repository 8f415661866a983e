// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/programs/carrying.hpp"

KAON_DEVICE_ENTRIES(kaon::bench::CarryingEntries);
