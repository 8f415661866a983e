# SPDX-License-Identifier: Apache-2.0
# ./dev bundle: programs, the libraries they need and UCX with its modules, in one folder that runs elsewhere.

kBundleLimitMib=64

# The libraries of program $1 that another machine may lack: all but the C library's own, which must fit its kernel.
libraries_of() {
  ldd "$1" 2>/dev/null | sed -nE 's/.* => (\/[^ ]+) .*/\1/p' |
    grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv|ld-linux[^/]*)\.so' || true
}

command_bundle() {
  install_basics
  configure release
  # shellcheck disable=SC2046
  build release $(cat build/release/programs.txt)
  local bundle=dist/kaon-bundle libraries ucx size
  rm -rf $bundle
  cmake --install build/release --prefix $bundle --component programs --strip >"$(log_file bundle)" 2>&1 ||
    fail_with_log bundle "the programs could not be packed"
  libraries=$(for program in build/release/bin/*; do libraries_of "$program"; done | sort -u)
  mkdir -p $bundle/lib
  echo "$libraries" | xargs cp -L -t $bundle/lib
  ucx=$(echo "$libraries" | sed -n 's|/libucs\.so.*||p' | head -1)
  [ -z "$ucx" ] || pack_modules "$ucx/ucx" $bundle/lib/ucx
  install -D -m 644 machine_ucx/ucx.conf $bundle/etc/ucx/ucx.conf
  find $bundle/lib -name '*.so*' -exec strip --strip-unneeded {} +
  cp LICENSE $bundle/
  size=$(du -sm $bundle | cut -f1)
  [ "$size" -le $kBundleLimitMib ] || fail 1 "$bundle has $size MiB; $kBundleLimitMib are allowed"
  say "$bundle is ready ($size MiB): bin/kaonrun -n 2 bin/PROGRAM"
}

# UCX loads its modules from the folder `ucx` beside libucs, by their short names.
pack_modules() {
  mkdir -p "$2"
  find "$1" -name '*.so.0' ! -name '*perftest*' -exec cp -L -t "$2" {} +
}
