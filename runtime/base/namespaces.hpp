// SPDX-License-Identifier: Apache-2.0
#pragma once
// Namespaces follow the folders, and each layer sees the names of those below it. What a user needs of them is named
// in include/kaon/ and found in kaon itself.
namespace kaon::runtime {}

namespace kaon::launch {
using namespace runtime;
}
namespace kaon::gpu {
using namespace runtime;
}
namespace kaon::machine_ucx {
using namespace runtime;
}
namespace kaon::chares {
using namespace runtime;
}
namespace kaon::testing {
using namespace runtime;
using namespace launch;
using namespace machine_ucx;
using namespace chares;
}  // namespace kaon::testing
