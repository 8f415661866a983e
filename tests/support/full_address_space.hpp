// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/resource.h>

namespace kaon::testing {

// Nothing new can be mapped while one is alive.
class FullAddressSpace {
 public:
  FullAddressSpace() {
    getrlimit(RLIMIT_AS, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_AS, &none);
  }
  FullAddressSpace(const FullAddressSpace&) = delete;
  FullAddressSpace& operator=(const FullAddressSpace&) = delete;
  ~FullAddressSpace() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

}  // namespace kaon::testing
