# SPDX-License-Identifier: Apache-2.0
# ./dev bundle: programs, benchmarks and tests of devices, with the libraries they need and UCX with its modules, in one
# folder that runs elsewhere, and an archive of it to take there.

kBundleLimitMib=64

# The libraries of program $1 that another machine may lack: all but the C library's own, which must fit its kernel, the
# driver's, which must fit its GPU, and cuBLAS, half a gigabyte, which belongs to a toolkit.
libraries_of() {
  ldd "$1" 2>/dev/null | sed -nE 's/.* => (\/[^ ]+) .*/\1/p' |
    grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv|ld-linux[^/]*|libcuda|libnvidia-ml|libcublas|libcublasLt)\.so' || true
}

command_bundle() {
  install_basics
  configure release
  # shellcheck disable=SC2046
  build release $(bundled_targets build/release)
  pack build/release dist/kaon-bundle
  archive dist/kaon-bundle dist/kaon-bundle.tar.xz
  say "dist/kaon-bundle is ready: bin/kaonrun -n 2 bin/PROGRAM; dist/kaon-bundle.tar.xz has $(size_mib dist/kaon-bundle.tar.xz) MiB"
}

# Of build folder $1, what the bundle carries: CMake writes the list, one target and file a line (kaon_bundle).
bundled_targets() { cut -d ' ' -f 1 "$1/bundled.txt" | sort -u; }
bundled_files() { cut -d ' ' -f 2- "$1/bundled.txt"; }

size_mib() { du -sm "$1" | cut -f1; }

# pack BUILD BUNDLE
pack() {
  local build=$1 bundle=$2
  rm -rf "$bundle"
  cmake --install "$build" --prefix "$bundle" --component programs --strip >"$(log_file bundle)" 2>&1 ||
    fail_with_log bundle "the programs could not be packed"
  pack_drivers "$bundle"
  pack_libraries "$build" "$bundle"
  install -D -m 644 machine_ucx/ucx.conf "$bundle/etc/ucx/ucx.conf"
  cp LICENSE "$bundle/"
  require_complete "$bundle"
}

# archive FOLDER FILE
archive() {
  local size
  tar -C "$(dirname "$1")" -I "xz -T0 -4" -cf "$2" "$(basename "$1")"
  size=$(size_mib "$2")
  [ "$size" -le $kBundleLimitMib ] || fail 1 "$2 has $size MiB; $kBundleLimitMib are allowed"
}

# The benchmarks in Python. They find the programs in the folders above them.
pack_drivers() {
  local folder
  for folder in driver host gpu; do
    mkdir -p "$1/bench/$folder"
    cp bench/$folder/*.py "$1/bench/$folder/"
  done
  cp bench/gpu/*.sh "$1/bench/gpu/"
  for folder in host gpu; do ln -s "../bench/$folder/$folder.py" "$1/bin/bench_$folder"; done
}

executables_in() { find "$@" -maxdepth 1 -type f -executable; }

pack_libraries() {
  local build=$1 bundle=$2 libraries ucx
  libraries=$(bundled_files "$build" | while read -r program; do libraries_of "$program"; done | sort -u)
  mkdir -p "$bundle/lib"
  echo "$libraries" | xargs cp -L -t "$bundle/lib"
  ucx=$(echo "$libraries" | sed -n 's|/libucs\.so.*||p' | head -1)
  [ -z "$ucx" ] || pack_ucx "$ucx" "$bundle"
  find "$bundle/lib" -name '*.so*' -exec strip --strip-unneeded {} +
}

# What UCX loads by itself, from the folder `ucx` beside libucs, by short names; and its tools, which must be told of
# the libraries: LD_LIBRARY_PATH=lib bin/ucx_info.
pack_ucx() {
  local module library tool
  mkdir -p "$2/lib/ucx"
  cp -L -t "$2/lib/ucx" "$1"/ucx/*.so.0
  for module in "$1"/ucx/*.so.0; do libraries_of "$module"; done | sort -u | while read -r library; do
    [ -e "$2/lib/${library##*/}" ] || cp -L "$library" "$2/lib/"
  done
  for tool in ucx_info ucx_perftest; do
    [ ! -x "$1/../bin/$tool" ] || { cp "$1/../bin/$tool" "$2/bin/" && strip "$2/bin/$tool"; }
  done
}

# No program takes a library from a place that another machine lacks, and none is missing.
require_complete() {
  local bundle program library
  bundle=$(cd "$1" && pwd)
  executables_in "$bundle"/bin "$bundle"/bench "$bundle"/tests | grep -v '/ucx_[^/]*$' | while read -r program; do
    ! ldd "$program" | grep 'not found' >&2 || fail 1 "$program lacks libraries"
    for library in $(libraries_of "$program"); do
      case $(readlink -f "$library") in
        "$bundle"/*) ;;
        *) fail 1 "$program would take $library, which is not in the bundle" ;;
      esac
    done
  done
}
