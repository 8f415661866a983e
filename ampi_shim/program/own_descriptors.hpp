// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <vector>

namespace kaon::ampi {

/// The descriptors that the process had before the first program of a rank began, but for the standard streams: what
/// its threads sleep on and are connected by, and what it was started with. A rank that closed them would stop the
/// whole run.
class OwnDescriptors {
 public:
  /// Those that are open now.
  OwnDescriptors();
  /// The descriptors of this process. The first call records them.
  static const OwnDescriptors& here();

  /// True if this number is one of them, and has not been closed and used again for another file.
  bool has(int number) const;
  /// Calls `close(first, last)` for each part of a range that lies between them.
  template <class Close>
  void between(unsigned first, unsigned last, Close close) const;

 private:
  struct Known {
    int number;
    dev_t device;
    ino_t file;
  };
  std::vector<Known> known_;  // by number
};

template <class Close>
void OwnDescriptors::between(unsigned first, unsigned last, Close close) const {
  for (const Known& each : known_) {
    const auto number = static_cast<unsigned>(each.number);
    if (number < first || number > last || !has(each.number)) continue;
    if (number > first) close(first, number - 1);
    first = number + 1;
  }
  if (first <= last) close(first, last);
}

}  // namespace kaon::ampi
