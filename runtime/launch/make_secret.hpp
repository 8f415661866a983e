// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/ports/secret.hpp"

namespace kaon::launch {

// From the kernel's generator. Throws UsageError where there is none.
Secret make_secret();

}  // namespace kaon::launch
