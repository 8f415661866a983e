// expect: an object of a device is copied there as it is
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "tests/refused/device_cells.hpp"

struct Named {
  std::string name;
};

void use(Scheduler<>& cells) { (void)cells.make(Named{"one"}); }
