# SPDX-License-Identifier: Apache-2.0
# Configure and build one preset. What the compilers say goes to a log, which is shown when the build fails.

jobs() { echo "${KAON_JOBS:-$(nproc)}"; }

# configure PRESET: again, too, when files came or went since.
configure() {
  local preset=$1
  if [ -e "build/$preset/build.ninja" ]; then
    ninja -C "build/$preset" build.ninja
  else
    say "configuring build/$preset"
    cmake --preset "$preset"
  fi >"$(log_file "configure-$preset")" 2>&1 ||
    fail_with_log "configure-$preset" "cmake cannot configure build/$preset"
  say_what_is_left_out "$preset"
}

# cmake's line about a back end that this machine has no compiler for.
say_what_is_left_out() {
  local left_out
  left_out=$(sed -n 's/^-- GPU: \(.* is left out\)$/\1/p' "$(log_file "configure-$1")" | tail -1)
  [ -z "$left_out" ] || say "$left_out"
}

# build PRESET [TARGET...]. Says nothing when there is nothing to do.
build() {
  local preset=$1
  shift
  configure "$preset"
  ninja -C "build/$preset" -j "$(jobs)" "$@" 2>&1 | tee "$(log_file "build-$preset")" | show_progress "$preset" ||
    fail_with_log "build-$preset" "the build of $preset failed"
}

# Ninja's steps: on a terminal as one line that changes, else only the first, so that logs stay short.
show_progress() {
  local preset=$1 line steps=0
  while IFS= read -r line; do
    case $line in
      *'Re-checking globbed'* | *'no work to do'* | *'Entering directory'*) continue ;;
      '['[0-9]*) ;;
      *) continue ;;
    esac
    steps=$((steps + 1))
    if [ -t 2 ]; then
      printf '\r\033[K%.*s' "${COLUMNS:-100}" "$preset $line" >&2
    elif [ $steps = 1 ]; then
      say "building $preset"
    fi
  done
  [ ! -t 2 ] || [ $steps = 0 ] || printf '\r\033[K' >&2
}

command_build() {
  local preset=${1:-release}
  case $preset in
    dev | release | asan | tsan) install_basics ;;
    clang | fuzz) install_all ;;
    hip) install_for_hip ;;
    *) fail 2 "there is no preset '$preset': dev, release, asan, tsan, clang, hip, fuzz" ;;
  esac
  if [ "$preset" = fuzz ]; then build fuzz kaon_fuzzers; else build "$preset"; fi
  say "build/$preset is up to date; programs are in build/$preset/bin"
}
