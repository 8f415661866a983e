# SPDX-License-Identifier: Apache-2.0
# Messages go to stderr: stdout belongs to the program that runs.

say() { printf './dev: %s\n' "$*" >&2; }

# fail CODE TEXT
fail() {
  say "$2"
  exit "$1"
}

# The file that holds what step $1 printed.
log_file() {
  mkdir -p build/logs
  echo "build/logs/$1.log"
}

# fail_with_log STEP TEXT: with the end of what the step printed.
fail_with_log() {
  tail -40 "$(log_file "$1")" >&2
  fail 1 "$2 (all of its output: $(log_file "$1"))"
}
