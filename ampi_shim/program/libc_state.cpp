// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/libc_state.hpp"

namespace kaon::ampi {

RandomState::RandomState() { initstate_r(1, table_, sizeof table_, &numbers); }

}  // namespace kaon::ampi
