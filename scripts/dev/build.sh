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
  ninja -C "build/$preset" -j "$(jobs)" "$@" 2>&1 | tee "$(log_file "build-$preset")" |
    show_progress "building $preset" ||
    fail_with_log "build-$preset" "the build of $preset failed"
}

# The steps of ninja and of ctest, which are read: on a terminal as one line that changes, else the first and then one a
# minute (KAON_PROGRESS_SECONDS), so that logs stay short and nobody wonders whether it still goes on. A step may take
# longer than that.
show_progress() {
  local what=$1 line='' step='' said=-1 status now
  while :; do
    status=0
    IFS= read -r -t 5 line || status=$?
    if [ $status = 0 ]; then
      now=$(step_of "$line")
      [ -n "$now" ] || continue
      step=$now
    elif [ $status -le 128 ]; then
      break
    fi
    [ -n "$step" ] || continue
    if [ -t 2 ]; then
      printf '\r\033[K%.*s' "${COLUMNS:-100}" "$what: $line" >&2
    elif [ $said -lt 0 ] || [ $((SECONDS - said)) -ge "${KAON_PROGRESS_SECONDS:-60}" ]; then
      say "$what: step $step"
      said=$SECONDS
    fi
  done
  [ ! -t 2 ] || [ -z "$step" ] || printf '\r\033[K' >&2
}

# "n of m", of ninja's "[n/m] ..." and of ctest's " n/m Test ..."; nothing of other lines.
step_of() {
  case $1 in *'Re-checking globbed'*) return ;; esac
  if [[ $1 =~ ^\[([0-9]+)/([0-9]+)\] || $1 =~ ^\ *([0-9]+)/([0-9]+)\ Test ]]; then
    echo "${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
  fi
}

command_build() {
  local preset=${1:-release}
  case $preset in
    dev | release | asan | odr | install | install_address | install_thread | package) install_basics ;;
    tsan | clang | fuzz) install_all ;;
    hip) install_for_hip ;;
    *) fail 2 "there is no preset '$preset': dev, release, asan, tsan, clang, hip, fuzz, odr, install," \
      "install_address, install_thread, package" ;;
  esac
  case $preset in
    fuzz) build fuzz kaon_fuzzers ;;
    odr) build odr jacobi3d ;;
    *) build "$preset" ;;
  esac
  say "build/$preset is up to date; programs are in build/$preset/bin"
}

# dist/kaon_VERSION_ARCHITECTURE.deb: what command_install installs, without the CUDA of this machine: a program on a
# Kaon with CUDA is linked with cudart, which Debian does not have.
command_package() {
  [ $# = 0 ] || fail 2 "'./dev package' takes no arguments"
  install_basics
  build package
  mkdir -p dist
  cpack --config build/package/CPackConfig.cmake -B build/package/cpack >"$(log_file package)" 2>&1 ||
    fail_with_log package "no package could be made"
  local package
  package=$(ls -t build/package/cpack/*.deb | head -1)
  cp "$package" dist/
  say "dist/$(basename "$package"): as root, apt install ./dist/$(basename "$package")"
}

# ./dev install [--sanitize address|thread] PREFIX: what a user's project needs, and neither tests nor benchmarks nor
# examples.
command_install() {
  local preset=install prefix with=''
  if [ "${1:-}" = --sanitize ]; then
    case ${2:-} in
      address) with=', built with AddressSanitizer' ;;
      thread) with=', built with ThreadSanitizer' ;;
      *) fail 2 "--sanitize takes address or thread, as in: ./dev install --sanitize address /opt/kaon-address" ;;
    esac
    preset=install_$2
    shift 2
  fi
  [ $# = 1 ] || fail 2 "where to? As in: ./dev install /opt/kaon"
  case $1 in -*) fail 2 "'$1' is no option of './dev install'; there is --sanitize address|thread" ;; esac
  prefix=$(cd "$called_from" && realpath -m -- "$1")
  install_basics
  build "$preset"
  install_to "$preset" "$prefix"
  say "Kaon is in $prefix$with: cmake -D CMAKE_PREFIX_PATH=$prefix finds it, and $prefix/bin/kaonrun starts programs"
}

# install_to PRESET PREFIX: what was built of a preset.
install_to() {
  cmake --install "build/$1" --prefix "$2" >"$(log_file install-to)" 2>&1 ||
    fail_with_log install-to "Kaon could not be installed into $2"
}
