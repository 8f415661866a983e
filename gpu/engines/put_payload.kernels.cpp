// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/put_payload.hpp"

#include "kaon/gpu/kernels/kernel_body.hpp"

KAON_KERNEL(kaon::gpu::PutPayload);
