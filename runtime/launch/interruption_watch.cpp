// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/interruption_watch.hpp"

#include <poll.h>

#include <array>

namespace kaon::launch {

InterruptionWatch::InterruptionWatch() : watcher_(start_without_signals([this] { watch(); })) {}

InterruptionWatch::~InterruptionWatch() {
  stop_.ring();
  watcher_.join();
}

void InterruptionWatch::watch() const {
  std::array<pollfd, 2> polled{pollfd{stop_.descriptor(), POLLIN, 0}, pollfd{interruption_.descriptor(), POLLIN, 0}};
  while (poll(polled.data(), polled.size(), -1) < 0) {
  }
  if (interruption_.has_come()) interruption_.obey();
}

}  // namespace kaon::launch
