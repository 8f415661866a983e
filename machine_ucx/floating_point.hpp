// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cfenv>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace kaon::machine_ucx {

/// Holds floating-point traps off while it lives. UCX estimates the speed of its transports with numbers that overflow
/// and divide by zero, also at the first message of a size; a program that has enabled traps would be killed by them.
/// Costs a read of one register where there are no traps.
class DefaultFloatingPoint {
 public:
  DefaultFloatingPoint() : has_held_(has_traps()) {
    if (has_held_) [[unlikely]]
      std::feholdexcept(&before_);
  }
  ~DefaultFloatingPoint() {
    if (has_held_) [[unlikely]]
      std::fesetenv(&before_);  // without what UCX has raised
  }
  DefaultFloatingPoint(const DefaultFloatingPoint&) = delete;
  DefaultFloatingPoint& operator=(const DefaultFloatingPoint&) = delete;

 private:
  static bool has_traps() {
#if defined(__x86_64__)
    return (_mm_getcsr() & _MM_MASK_MASK) != _MM_MASK_MASK;
#else
    return fegetexcept() != 0;
#endif
  }

  std::fenv_t before_;
  bool has_held_;
};

}  // namespace kaon::machine_ucx
