// SPDX-License-Identifier: Apache-2.0
#pragma once
// What tests of chares need: a run inside one thread, in which the test or a seed says who runs and what arrives.
#include "kaon/testing/loopback.hpp"  // IWYU pragma: export
#include "kaon/testing/network.hpp"   // IWYU pragma: export
#include "kaon/testing/scene.hpp"     // IWYU pragma: export
