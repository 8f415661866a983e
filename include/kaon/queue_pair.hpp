// SPDX-License-Identifier: Apache-2.0
#pragma once
// Queue pairs, by which kernels read and write memory of other PEs' devices, for programs that use devices.
#include "kaon/gpu/queues/put_window.hpp"  // IWYU pragma: export
#include "kaon/gpu/queues/queue_pair.hpp"  // IWYU pragma: export
