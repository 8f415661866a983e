// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/waits/helper.hpp"

#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

bool give_to_helper(HelperJob& job, Waiter& waiter) {
  HelperThreads& helpers = this_pe().process().helpers();
  if (helpers.most() == 0) return false;
  helpers.give(job, waiter);
  return true;
}

}  // namespace kaon::chares
