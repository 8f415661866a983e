// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::ampi {

class ProgramImage;
class Rank;

/// While it lives, what the program sees of this PE's thread is the rank's own, as when the rank runs: for those who
/// read or write thread-local variables of a rank that waits. Whoever runs gives way meanwhile.
class SwitchedIn {
 public:
  explicit SwitchedIn(const Rank& rank) noexcept;
  SwitchedIn(const SwitchedIn&) = delete;
  SwitchedIn& operator=(const SwitchedIn&) = delete;
  ~SwitchedIn();

 private:
  ProgramImage* const image_;
  ProgramImage* const before_;
};

}  // namespace kaon::ampi
