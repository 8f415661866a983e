# SPDX-License-Identifier: Apache-2.0
# What Kaon is built with, and how it gets onto this machine.

kUcxWheel=libucx-cu13==1.22.0  # the only UCX on a package index that has its CUDA modules
kUcx=.deps/ucx-wheel/libucx

packages() {
  local boost=1.83  # of Ubuntu 24.04 and of Debian 13
  [ "$(. /etc/os-release && echo "${ID:-}${VERSION_ID:-}")" != debian12 ] || boost=1.81
  echo g++ cmake ninja-build ccache mold pkg-config python3-pip unzip xz-utils git libboost$boost-dev libboost-context$boost-dev libhwloc-dev libpmix-dev libfmt-dev \
    libspdlog-dev libcli11-dev nlohmann-json3-dev libpng-dev catch2 libbenchmark-dev libmetis-dev
}

packages_for_lint() { echo clang-format-16 git python3 similarity-tester; }

packages_for_clang() { echo clang-16 libclang-rt-16-dev libomp-16-dev clang-tidy-16; }

# Launchers of others, which tests start programs by.
packages_for_launchers() { echo iproute2 openmpi-bin libopenmpi-dev slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge; }

# What bare roots are made with, in which tests install Kaon's package.
packages_for_roots() { echo mmdebstrap; }

packages_for_docs() { echo doxygen python3-venv; }

packages_for_hip() { echo hipcc libamdhip64-dev; }

# install_packages PACKAGE...: those that are missing. Asks dpkg each time, which takes milliseconds and is never out of date.
install_packages() {
  if ! command -v apt-get >/dev/null; then
    say "this is not Debian or Ubuntu: taking the libraries that are here. Should some be missing, install what" \
      "these packages hold: $*"
    return
  fi
  local missing
  missing=$(comm -23 <(printf '%s\n' "$@" | sort) \
    <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p' | sort -u))
  [ -n "$missing" ] || return 0
  local install="apt-get install -y --no-install-recommends $(echo $missing)"
  local as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail 1 "packages are missing; as root, run: apt-get update && $install"
    as_root=sudo
  fi
  say "installing $(echo $missing)"
  # shellcheck disable=SC2086
  { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive $install -qq; } \
    >"$(log_file install)" 2>&1 || fail_with_log install "packages could not be installed; as root, try: apt-get update && $install"
}

install_ucx() {
  [ -e $kUcx/lib/libucp.so ] || fetch_ucx
  # read by libucs as it is loaded, from this place beside it
  local settings=$kUcx/etc/ucx/ucx.conf
  grep -qs '^UCX_MEM_MMAP_HOOK_MODE=' $settings && return
  mkdir -p $kUcx/etc/ucx
  cat machine_ucx/ucx.conf $settings >$settings.new 2>/dev/null || true  # the wheel's own may be missing
  mv $settings.new $settings
}

fetch_ucx() {
  say "fetching UCX ($kUcxWheel) into .deps/"
  rm -rf .deps/ucx-wheel .deps/unpacking
  mkdir -p .deps/wheels
  python3 -m pip download --quiet --disable-pip-version-check --no-deps -d .deps/wheels "$kUcxWheel" >"$(log_file ucx)" 2>&1 ||
    fail_with_log ucx "UCX could not be fetched; is the Python package index reachable?"
  unzip -q -o .deps/wheels/libucx_cu13-*.whl -d .deps/unpacking ||
    fail 1 "the UCX wheel in .deps/wheels is damaged: remove it and try again"
  mv .deps/unpacking .deps/ucx-wheel  # in one step: a half-unpacked UCX is never taken for a whole one
}

install_basics() {
  # shellcheck disable=SC2046
  install_packages $(packages)
  install_ucx
}

install_for_hip() {
  # shellcheck disable=SC2046
  install_packages $(packages) $(packages_for_hip)
  install_ucx
}

install_all() {
  # shellcheck disable=SC2046
  install_packages $(packages) $(packages_for_lint) $(packages_for_clang) $(packages_for_launchers) $(packages_for_docs) $(packages_for_roots)
  install_ucx
}
