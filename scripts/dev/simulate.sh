# SPDX-License-Identifier: Apache-2.0
# ./dev simulate: programs of chares that seeds make up (tests/simulation), as many as you have time for.

command_simulate() {
  install_basics
  build release simulate
  exec build/release/tests/bin/simulate "$@"
}
