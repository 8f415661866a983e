# SPDX-License-Identifier: Apache-2.0
# ./dev mutants [TEXT]: which of the kept faults (tests/mutants) no test sees.
# ./dev mutants --rebase [REVISION]: the kept faults follow the sources that changed since then (HEAD).

command_mutants() {
  if [ "${1:-}" = --rebase ]; then
    shift
    [ $# -le 1 ] || fail 2 "./dev mutants --rebase takes one revision, at which the texts of the faults stood in the tree"
    exec python3 -B scripts/dev/mutants_rebase.py . "$@"
  fi
  [ $# -le 1 ] || fail 2 "./dev mutants takes one text, of names or files of mutants"
  install_basics
  python3 -B scripts/dev/mutants.py . "$@"
}
