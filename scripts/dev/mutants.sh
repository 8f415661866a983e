# SPDX-License-Identifier: Apache-2.0
# ./dev mutants [TEXT]: which of the kept faults (tests/mutants) no test sees.

command_mutants() {
  [ $# -le 1 ] || fail 2 "./dev mutants takes one text, of names or files of mutants"
  install_basics
  python3 -B scripts/dev/mutants.py . "$@"
}
