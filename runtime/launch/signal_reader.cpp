// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/signal_reader.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {

SignalReader::SignalReader(const sigset_t& wanted) : signals_(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK)) {
  if (!signals_.is_open()) throw UsageError(std::string("cannot open a signal descriptor: ") + std::strerror(errno));
}

int SignalReader::next() {
  signalfd_siginfo signal{};
  const bool has_come = ::read(signals_.number(), &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal);
  return has_come ? static_cast<int>(signal.ssi_signo) : 0;
}

}  // namespace kaon::launch
