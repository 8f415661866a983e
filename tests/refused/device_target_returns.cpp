// expect: on_host(function): it returns nothing
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

void use(Scheduler<>& cells) {
  (void)cells.on_host<double>([](double value) { return value; });
}
