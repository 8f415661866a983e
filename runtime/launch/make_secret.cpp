// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/make_secret.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {

Secret make_secret() {
  Secret secret{};
  ssize_t bytes = 0;
  do bytes = getrandom(secret.data(), secret.size(), 0);  // so few come as a whole
  while (bytes < 0 && errno == EINTR);
  if (bytes != static_cast<ssize_t>(secret.size()))
    throw UsageError(std::string("cannot make a secret for the run: getrandom: ") + std::strerror(errno));
  return secret;
}

}  // namespace kaon::launch
