# SPDX-License-Identifier: Apache-2.0
# ./dev run and ./dev bench.

# Programs that a user starts: all but kaonrun and the benchmarks.
programs() { grep -vxE 'kaonrun|bench_.*' build/release/programs.txt; }
benches() { sed -n 's/^bench_//p' build/release/programs.txt; }

on_one_line() { paste -sd ' ' -; }

# positive OPTION VALUE
positive() {
  [[ $2 =~ ^[1-9][0-9]*$ ]] || fail 2 "$1 takes a count of at least 1, not '$2'"
}

command_run() {
  local processes=1 pes=()
  while [ $# -gt 0 ]; do
    case $1 in
      --processes | --pes)
        [ $# -ge 2 ] || fail 2 "$1 takes a count, as in: ./dev run $1 2 PROGRAM"
        positive "$1" "$2"
        if [ "$1" = --pes ]; then pes=(--pes "$2"); else processes=$2; fi
        shift 2
        ;;
      --) shift; break ;;
      -*) fail 2 "'$1' is no option of './dev run'; the program's own options come after its name" ;;
      *) break ;;
    esac
  done
  install_basics
  configure release
  [ $# -gt 0 ] || fail 2 "which program? There are: $(programs | on_one_line)"
  local program=$1
  shift
  programs | grep -qxF -- "$program" || fail 2 "there is no program '$program'; there are: $(programs | on_one_line)"
  build release "$program" kaonrun
  local bin=build/release/bin
  if [ "$processes" -gt 1 ]; then
    exec $bin/kaonrun -n "$processes" "$bin/$program" "${pes[@]}" "$@"
  fi
  exec "$bin/$program" "${pes[@]}" "$@"
}

command_bench() {
  install_basics
  configure release
  if [ $# -eq 0 ]; then
    echo "benchmarks: $(benches | on_one_line)"
    return
  fi
  local name=$1
  shift
  benches | grep -qxF -- "$name" || fail 2 "there is no benchmark '$name'; there are: $(benches | on_one_line)"
  build release "bench_$name" kaonrun
  exec "build/release/bin/bench_$name" "$@"
}
