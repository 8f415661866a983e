# SPDX-License-Identifier: Apache-2.0
# ./dev test. Each leg adds to the counts and leaves one line for the end.

passed=0
failed=0
skipped=0
legs=()
left_out=()
# Labels of tests that see what a compiler says, which says it once: g++ in release.
kOfTheCompiler='^(refused|architecture)$'
# Of starting and ending processes, and of whole programs: threads meet in tests of their own, which tsan runs.
kOfProcesses='^(launch|launchers|examples)$'
# Of launchers' processes, of which each case starts many and which wait for each other: launch and multiprocess have the
# same code under sanitizers.
kOfLaunchers='^launchers$'
# Of the command ./dev: scripts, which no sanitizer looks at.
kOfScripts='^dev$'
# Of a model of sleeping, which takes minutes when every access is checked and touches no memory but its own.
kOfTheModel='in every interleaving all Work is taken'

# record LEG PASSED FAILED STARTED
record() {
  passed=$((passed + $2))
  failed=$((failed + $3))
  legs+=("$(printf '%-10s %5d passed, %d failed, %d s' "$1" "$2" "$3" $((SECONDS - $4)))")
}

# run_tests PRESET [OPTIONS OF CTEST]: builds it and runs its tests. A preset that does not build is one failure.
run_tests() {
  local preset=$1 start=$SECONDS
  shift
  if ! (build "$preset"); then
    record "$preset" 0 1 "$start"
    return
  fi
  say "testing $preset"
  local log total
  log=$(log_file "test-$preset")
  { ctest --test-dir "build/$preset" -j "$(jobs)" --no-tests=error --output-on-failure "$@" 2>&1 || true; } |
    tee "$log" | show_progress "testing $preset"
  # "98% tests passed, 1 tests failed out of 50"
  total=$(sed -nE 's/.* tests passed, ([0-9]+) tests failed out of ([0-9]+)$/\1 \2/p' "$log" | tail -1)
  if [ -z "$total" ]; then
    tail -40 "$log" >&2
    record "$preset" 0 1 "$start"
    return
  fi
  local bad=${total% *} all=${total#* }
  [ "$bad" = 0 ] || show_failures "$log"
  record "$preset" $((all - bad)) "$bad" "$start"
}

# Only the tests that failed: their output, and the list at the end.
show_failures() {
  awk '/^ *[0-9]+\/[0-9]+ Test/ { shown = /\*\*\*/ } /^[0-9]+% tests passed/ { shown = 1 } shown' "$1" | tail -200 >&2
  say "all of the output: $1"
}

# check LEG COMMAND...: one pass, one failure or, when it returns 77 and its log says "skipped: why", neither.
check() {
  local leg=$1 start=$SECONDS code=0
  shift
  say "$leg"
  ("$@") || code=$?
  case $code in
    0) record "$leg" 1 0 "$start" ;;
    77)
      skipped=$((skipped + 1))
      legs+=("$(printf '%-10s %s' "$leg" "$(grep '^skipped: ' "$(log_file "$leg")" | tail -1)")")
      ;;
    *) record "$leg" 0 1 "$start" ;;
  esac
}

# The last line: what was skipped is no part of what passed.
summary() {
  printf '%d passed, %d failed' "$passed" "$failed"
  [ "$skipped" = 0 ] || printf ', %d skipped' "$skipped"
  echo
}

# Of `./dev test --all`, in its order, each with the minutes that it takes on two cores with nothing in the compilers'
# cache. A leg NAME is the function leg_NAME. clang compiles the library and its tests for tsan, and the programs and
# benchmarks for lint.
kLegs=(release asan strict tsan installed sanitized bare_root docs hip fuzz lint)
declare -A kMinutes=([release]=0 [asan]=46 [strict]=6 [tsan]=20 [installed]=6 [sanitized]=2 [bare_root]=12 [docs]=2 [hip]=5 [fuzz]=8 [lint]=25)

leg_release() { run_tests release; }
leg_asan() { run_tests asan -LE "$kOfTheCompiler|$kOfScripts|$kOfLaunchers" -E "$kOfTheModel"; }
leg_strict() { run_device_tests_strictly; }
leg_tsan() { run_tests tsan -LE "$kOfTheCompiler|$kOfProcesses|$kOfScripts"; }
leg_installed() { check installed run_installed_example; }
leg_sanitized() { check sanitized run_on_sanitized_prefixes; }
leg_bare_root() { check bare_root run_package_in_bare_root; }
leg_docs() { check docs command_docs; }
leg_hip() { check hip build_hip; }
leg_fuzz() { run_fuzzers; }
leg_lint() { check lint command_lint; }

command_test() {
  local wanted=(release asan) leg
  case "${1:-}" in
    '') ;;
    --all) wanted=("${kLegs[@]}") ;;
    --only) IFS=, read -ra wanted <<<"${2:-}" ;;
    *) fail 2 "'$1' is no option of './dev test'; there are --all and --only LEG,..." ;;
  esac
  [ ${#wanted[@]} -gt 0 ] || fail 2 "--only which legs? There are: ${kLegs[*]}"
  for leg in "${wanted[@]}"; do
    [[ " ${kLegs[*]} " == *" $leg "* ]] || fail 2 "there is no leg '$leg'; there are: ${kLegs[*]}"
  done
  if [ -n "${1:-}" ]; then install_all; else install_basics; fi
  for leg in "${wanted[@]}"; do
    ! fits "$leg" || "leg_$leg"
  done
  printf '%s\n' "${legs[@]}"
  [ ${#left_out[@]} = 0 ] || echo "left out, since $KAON_TEST_MINUTES minutes would have passed: ${left_out[*]}"
  summary
  [ "$failed" = 0 ]
}

# The tests of devices once more in release, on an emulation that is as strict as devices are: few hardware queues, and
# memory that goes back to the driver behind all work.
run_device_tests_strictly() {
  local KAON_HOST_DEVICE=free=waits,queues=8
  export KAON_HOST_DEVICE
  run_tests release -L '^device$'
}

# fits LEG: whether it can end before KAON_TEST_MINUTES, if any are given, have passed. What does not is said at the end.
fits() {
  [ -n "${KAON_TEST_MINUTES:-}" ] || return 0
  [ $((SECONDS + 60 * kMinutes[$1])) -gt $((60 * KAON_TEST_MINUTES)) ] || return 0
  left_out+=("$1")
  return 1
}

# Compiled and linked only: nothing of it was ever run on a GPU of AMD.
build_hip() {
  install_for_hip
  build hip kaon_gpu saxpy jacobi3d gpu_test
  say "hip: library, kernels, two programs and a test compile and link; none of them was run"
}

# Every fuzz target for a minute (KAON_FUZZ_SECONDS), as many at once as there are cores.
run_fuzzers() {
  local start=$SECONDS good=0 bad=0
  if ! (build fuzz kaon_fuzzers); then
    record fuzz 0 1 "$start"
    return
  fi
  say "fuzzing"
  local fuzzer names=()
  for fuzzer in build/fuzz/fuzz/*_fuzz; do
    [ ! -x "$fuzzer" ] || names+=("$(basename "$fuzzer")")
  done
  [ ${#names[@]} -gt 0 ] || { record fuzz 0 1 "$start"; return; }
  mkdir -p build/logs
  printf '%s\n' "${names[@]}" | xargs -P "$(jobs)" -I{} scripts/dev/fuzz-one {} "${KAON_FUZZ_SECONDS:-60}" || true
  for fuzzer in "${names[@]}"; do
    if [ "$(cat "build/logs/$fuzzer.result")" = 0 ]; then
      good=$((good + 1))
    else
      bad=$((bad + 1))
      tail -30 "$(log_file "$fuzzer")" >&2
    fi
  done
  record fuzz "$good" "$bad" "$start"
}

# Kaon installed into a folder of its own, and a program outside the tree that finds it there, by CMake and by
# pkg-config.
run_installed_example() {
  rm -rf build/installed
  { (command_install "$PWD/build/installed/prefix") && build_on_installed; } >"$(log_file installed)" 2>&1 ||
    fail_with_log installed "the installed library does not work"
}

build_on_installed() {
  local prefix="$PWD/build/installed/prefix" example=build/installed/example settings
  settings=$(dirname "$(find "$prefix" -name kaon.pc)")
  cmake -S examples/installed -B "$example" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH="$prefix" &&
    cmake --build "$example" && ctest --test-dir "$example" --no-tests=error --output-on-failure &&
    g++ -std=c++20 -O2 examples/installed/squares.cpp -o "$example/squares_by_pkg_config" \
      $(PKG_CONFIG_PATH=$settings pkg-config --cflags --libs kaon) &&
    "$prefix/bin/kaonrun" -n 2 "$example/squares_by_pkg_config" | grep '285 is the sum' &&
    has_manual "$prefix" kaonrun ampirun
}

# has_manual PREFIX PROGRAM...: each has a manual page and a completion.
has_manual() {
  local prefix=$1 program
  shift
  for program; do
    ls "$prefix/share/man/man1/$program.1" "$prefix/share/bash-completion/completions/$program" || return 1
  done
}

# What './dev install --sanitize' installs, from the folders of the legs before: a program on it gets the flags along.
run_on_sanitized_prefixes() {
  local preset built=0 code=0
  for preset in asan tsan; do
    [ -e "build/$preset/bin/kaonrun" ] || continue
    built=$((built + 1))
    build_on_sanitized $preset || code=$?
  done >"$(log_file sanitized)" 2>&1
  [ $code = 0 ] || fail_with_log sanitized "a library that was installed with a sanitizer does not work"
  [ $built -gt 0 ] || { echo "skipped: neither asan nor tsan was built" >"$(log_file sanitized)"; return 77; }
}

# build_on_sanitized PRESET: by CMake and by pkg-config; without a word, as sanitizers and warnings have some.
build_on_sanitized() {
  local preset=$1 compiler=g++ prefix="$PWD/build/installed/$1" example="build/installed/hello_$1" command said
  [ "$preset" != tsan ] || compiler=clang++-16
  rm -rf "$prefix" "$example"
  install_to "$preset" "$prefix"
  cmake -S examples/tutorial/hello -B "$example" -G Ninja -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_PREFIX_PATH="$prefix" &&
    cmake --build "$example" || return 1
  # shellcheck disable=SC2046
  "$compiler" -std=c++20 -O1 examples/tutorial/hello/hello.cpp -o "$example/by_pkg_config" \
    $(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name kaon.pc)") pkg-config --cflags --libs kaon) || return 1
  for command in "$example/hello --pes 4" "$example/by_pkg_config --pes 1 --serialize-always" \
    "$prefix/bin/kaonrun -n 2 $example/hello --pes 2"; do
    said=$($command 2>&1) || { echo "$said"; return 1; }
    ! grep -v '^Hello from PE [0-9]*$' <<<"$said" || return 1
  done
}

# The package in a Debian or Ubuntu that has nothing but apt: tests/packages.
run_package_in_bare_root() {
  local code=0
  { (command_package) && tests/packages/bare_root "$(ls -t dist/kaon_*.deb | head -1)"; } \
    >"$(log_file bare_root)" 2>&1 || code=$?
  case $code in
    0 | 77) return $code ;;
    *) fail_with_log bare_root "the package does not work where nothing else is installed" ;;
  esac
}
