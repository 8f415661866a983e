// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/drain.hpp"

#include <fmt/format.h>

#include <thread>

namespace kaon::gpu {

Drain::Drain(Driver& driver, int device, double timeout_s) : driver_(driver), device_(device), timeout_s_(timeout_s) {}

Drain::~Drain() {
  for (NativeEvent event : events_) driver_.destroy_event(event);
}

void Drain::add(NativeStream stream, int device) {
  driver_.record(events_.emplace_back(driver_.make_event(device)), stream);
}

bool Drain::is_done() {
  if (events_.empty()) return true;
  driver_.advance();
  std::erase_if(events_, [this](NativeEvent event) {
    if (!driver_.is_reached(event)) return false;
    driver_.destroy_event(event);
    return true;
  });
  if (!events_.empty() && is_late()) give_up();
  return events_.empty();
}

void Drain::finish() {
  while (!is_done()) std::this_thread::yield();
}

void Drain::give_up() const {
  throw DeviceHangs(
      fmt::format("device {} still works on what {} of its streams were given, {} s after the end of the run: is there "
                  "a kernel that never ends? --device-timeout SECONDS waits longer",
                  device_, events_.size(), timeout_s_));
}

}  // namespace kaon::gpu
