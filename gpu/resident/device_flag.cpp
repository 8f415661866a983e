// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/device_flag.hpp"

#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/resident/resident_scheduler.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void ResidentFlag::expect() noexcept { scheduler_.expect_arrival(); }
void ResidentFlag::will_not_arrive() noexcept { scheduler_.forget_arrival(); }

void ResidentFlag::arrived() noexcept {
  Pe& pe = scheduler_.device().pe();
  try {
    scheduler_.raise(word_, 1);
  } catch (...) {  // its kernel could not be started
    pe.fail(std::current_exception());
  }
  pe.exchange().transfers().add_raised();
  scheduler_.forget_arrival();
}

}  // namespace kaon::gpu
