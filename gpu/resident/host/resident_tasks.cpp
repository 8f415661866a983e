// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/host/resident_tasks.hpp"

#include <utility>

#include "kaon/gpu/kernels/host_words.hpp"

namespace kaon::gpu {

bool ResidentTasks::put(const ResidentView& view, std::uint32_t member, bool has_urgent) {
  bool has_put = false;
  if (member != member::kOwner) {
    has_put = queue_.put_into(view.from_guest(member - 1));
  } else {
    has_put = has_urgent && urgent_.put_into(view.urgent_from_host());
    has_put |= queue_.put_into(view.from_host());
  }
  if (has_put && waiting() == 0) resume_waiters();
  return has_put;
}

bool ResidentTasks::are_left(const PinnedWords& host) const {
  return waiting() > 0 || queue_.put() != HostWords::peek(&host.host_taken) ||
         urgent_.put() != HostWords::peek(&host.urgent_taken);
}

void ResidentTasks::resume_waiters() {
  for (Waiter* const waiter : std::exchange(wanting_room_, {})) waiter->resume_soon();
}

}  // namespace kaon::gpu
