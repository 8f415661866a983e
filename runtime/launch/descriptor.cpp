// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/descriptor.hpp"

#include <unistd.h>

namespace kaon::launch {

Descriptor::~Descriptor() {
  if (is_open()) ::close(number_);
}

}  // namespace kaon::launch
