// expect: a target on the host is told 40 bytes at most
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Values {
  double values[6];
};

void use(Scheduler<>& cells) {
  (void)cells.on_host<Values>([](Values) {});
}
