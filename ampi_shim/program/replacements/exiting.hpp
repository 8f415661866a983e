// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::ampi {

/// exit(), _exit() and abort() of the calling rank.
[[noreturn]] void exit_rank(int code);
[[noreturn]] void leave_rank(int code);
[[noreturn]] void abort_rank();

}  // namespace kaon::ampi
