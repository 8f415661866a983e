// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucs/type/status.h>

#include <string>

namespace kaon::machine_ucx {

// The one place where a status of UCX becomes an exception. `what` says what was being done, for the reader of the
// error: "sending a payload to PE 3".
[[noreturn]] void throw_status(ucs_status_t status, const std::string& what);

inline void check_status(ucs_status_t status, const char* what) {
  if (status != UCS_OK) [[unlikely]]
    throw_status(status, what);
}

}  // namespace kaon::machine_ucx
