// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/host/device_flag.hpp"

#include <exception>

#include "kaon/gpu/resident/host/resident_scheduler.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void ResidentFlag::arrived() noexcept {
  try {
    scheduler_.raise(word_, 1);
  } catch (...) {  // its kernel could not be started
    pe_.fail(std::current_exception());
  }
  pe_.exchange().transfers().add_raised();
  --expected_;
}

}  // namespace kaon::gpu
