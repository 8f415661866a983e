#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All that must be seen on a machine with GPUs, in one call, from the bundle, in less than nine minutes:
#   bench/gpu/campaign.sh FOLDER [DEVICE [PART...]]
# Writes campaign.log, gpu.txt and gpu.json to FOLDER; ends with 1 when a step failed or found no time. DEVICE is cuda,
# or host to try the steps on the emulation. PART: suite, traffic, paths, memory, killed, digits, bench (all, in this order), or
# bench:TEXT for the sections of the benchmark with TEXT in their name. BASELINE: the folder of another bundle, whose
# programs take turns with those of this one in the benchmark. LIMIT_S: of the whole call (520); MINUTES, ROUNDS:
# of the benchmark (what is left of the call, at most 5; 5).
set -uo pipefail

all_parts="suite traffic paths memory killed digits bench"

fail_usage() { echo "campaign.sh: $1" >&2; exit 2; }

[ $# -ge 1 ] || fail_usage "give the folder for the results, as in: campaign.sh out"
device=${2:-cuda}
baseline=${BASELINE:+$(realpath "$BASELINE")}  # before this script goes to the bundle's folder
[ "$device" = cuda ] || [ "$device" = host ] || fail_usage "the device is cuda or host, not '$device'"
mkdir -p "$1" || exit 2
out=$(cd "$1" && pwd)
shift $(($# < 2 ? $# : 2))
for part in "$@"; do
  [[ " $all_parts " = *" ${part%%:*} "* ]] || fail_usage "there is no part '$part'; there are: $all_parts"
done
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 2
[ -x tests/gpu_test ] || fail_usage "run it from a bundle, as ./dev bundle makes one"
log=$out/campaign.log
: >"$log"
failed=0
limit=${LIMIT_S:-520}
unset KAON_DEVICE KAON_TRANSPORT  # each step names its own

left() { echo $((limit - SECONDS)); }

# within SECONDS: those, or what is left of the call.
within() { if [ "$1" -lt "$(left)" ]; then echo "$1"; else left; fi; }

# has_time NAME: whether another step may begin; says so when not.
has_time() {
  [ "$(left)" -ge 5 ] && return
  verdict "$1" "no time" $SECONDS
  return 1
}

# verdict NAME STATUS STARTED: one line, here and in the log.
verdict() {
  local word=PASS
  [ "$2" = 0 ] || { word="FAIL ($2)"; failed=$((failed + 1)); }
  printf '%-10s %4d s  %s\n' "$word" $((SECONDS - $3)) "$1" | tee -a "$log"
}

# step NAME SECONDS COMMAND...: PASS when it ends with 0 in time, and on the device that was asked for.
step() {
  local name=$1 seconds=$2 started=$SECONDS status=0 said
  shift 2
  has_time "$name" || return
  said=$(timeout -k 5 "$(within "$seconds")" "$@" 2>&1) || status=$?
  # A program that finds no device says so and takes the emulation.
  [[ $device = host || $said != *"Taking --device host"* ]] || status="no device"
  { echo "== $name: $*"; echo "$said"; } >>"$log"
  [ "$status" = 0 ] || tail -n 15 <<<"$said"
  verdict "$name" "$status" "$started"
}

# What sees the machine as it is, for whoever reads the results later.
look() {
  { timeout 20 nvidia-smi -L && timeout 20 nvidia-smi topo -m; ls -d /dev/nvidia[0-9]* /proc/driver/nvidia/gpus/*; nproc
    LD_LIBRARY_PATH=lib timeout 20 bin/ucx_info -d | grep -E 'Transport|Device'; } >>"$log" 2>&1
}

# traffic PROCESSES TRANSPORT KIND: two PEs in all, so that there is somebody to send to.
traffic() {
  step "traffic $3, $1 processes, $2" 90 env KAON_DEVICE="$device" \
    bin/kaonrun -n "$1" tests/device_traffic_program "$3" --pes $((3 - $1)) --transport "$2"
}

all_traffic() {
  local kinds="exchange several reuse large" processes transport kind
  [ "$device" != host ] || kinds="exchange several reuse"  # the emulation has little memory
  for processes in 1 2; do
    for transport in direct staged; do
      for kind in $kinds; do traffic "$processes" "$transport" "$kind"; done
    done
  done
}

# Where payloads of elements that move, are deleted or reject them go, what is refused, and memory that is full: those
# tests of devices that take their back end from outside, with the programs that they start.
all_paths() {
  step "moves, deletions, refusals, faults" 240 env KAON_BUNDLE="$PWD" KAON_DEVICE="$device" tests/device_test "[outside]"
}

# killed HOW VICTIM: one of two processes is killed while a payload is under way; the run must name it and end at once,
# and the other one must not crash on its way out.
killed() {
  local how=$1 victim=$2 started=$SECONDS status=0 said=$out/killed.txt pid runner
  has_time "process $victim killed, $how" || return
  : >"$said"
  timeout -k 5 "$(within 120)" bin/kaonrun -n 2 tests/device_endless_program "$how" 256 --device "$device" --pes 1 >"$said" 2>&1 &
  runner=$!
  for _ in $(seq 300); do
    [ "$(grep -c '^ready' "$said")" = 2 ] && break
    sleep 0.1
  done
  sleep 1
  pid=$(sed -nE "s/^ready $victim pid ([0-9]+)$/\\1/p" "$said")
  [ -z "$pid" ] || kill -KILL "$pid"
  local from=$SECONDS
  wait $runner || status=$?
  { echo "== killed $how, process $victim: code $status after $((SECONDS - from)) s"; cat "$said"; } >>"$log"
  if [ "$status" != 0 ] && [ "$status" != 124 ] && [ -n "$pid" ] && grep -qE "process $victim .*signal 9|PE $victim failed" "$said" &&
    ! grep -q "crashed by signal" "$said" && ! pgrep -f device_endless_program >/dev/null; then status=0; else status="code $status, see the log"; fi
  rm -f "$said"
  verdict "process $victim killed, $how" "$status" "$started"
}

all_killed() {
  local how victim
  for how in busy asleep; do for victim in 0 1; do killed $how $victim; done; done
}

# digits OPTION...: change and sum of a small box in 8 blocks, to the last digit.
digits() {
  local said
  said=$(timeout -k 5 "$(within 60)" bin/kaonrun "${@:1:2}" bin/jacobi3d --cells 64x48x32 --blocks 2x2x2 --iterations 200 \
    --pes 1 "${@:3}" 2>&1)
  echo "== jacobi3d $*: $said" >>"$log"
  [[ $device = host || $said != *"Taking --device host"* ]] || return
  sed -nE 's/.*(change [^ ]+  sum [^ ]+) .*/\1/p' <<<"$said"
}

compare_digits() {
  local processes transport started=$SECONDS there here status
  has_time "jacobi3d's digits" || return
  here=$(digits -n 1)  # no device: the processor
  for processes in 1 2; do
    for transport in direct staged; do
      there=$(digits -n "$processes" --device "$device" --transport "$transport")
      status=0
      [[ -n $here && $there = "$here" ]] || status="'$there', not '$here'"
      verdict "jacobi3d's digits, $processes processes, $transport" "$status" "$started"
      started=$SECONDS
    done
  done
}

# memory of others: what only CUDA has.
all_memory() {
  [ "$device" = cuda ] || return
  local kind
  step "memory taken from CUDA itself" 60 bin/kaonrun -n 2 tests/cuda_memory_program --device cuda --pes 1
  if [ "$(timeout 20 nvidia-smi -L | grep -c '^GPU')" -lt 2 ]; then
    echo "one GPU: memory of Python's libraries, which takes two, is left out" | tee -a "$log"
  else
    for kind in torch torch-vmm cupy cupy-pool; do
      step "memory of Python's libraries, $kind" 60 bin/kaonrun -n 2 python3 tests/library_memory.py "$kind"
    done
  fi
  # What stands in for another host: no mapping of memory between processes.
  UCX_TLS=posix,cma,tcp,cuda_copy traffic 2 direct exchange
  UCX_TLS=tcp,cuda_copy traffic 2 direct several
}

# measure [TEXT]: the benchmark, or its sections with TEXT in their name, in what is left of the call. A round that has
# begun is ended, so some time is kept for it; what was measured before a stop is written all the same.
measure() {
  local started=$SECONDS status=0 minutes
  has_time "bench gpu" || return
  minutes=${MINUTES:-$(awk -v left="$(left)" 'BEGIN { m = (left - 45) / 60; print (m < 0.1 ? 0.1 : (m > 5 ? 5 : m)) }')}
  timeout -k 10 "$(left)" python3 bench/gpu/gpu.py --device "$device" --minutes "$minutes" --rounds "${ROUNDS:-5}" \
    ${1:+--only "$1"} ${baseline:+--baseline "$baseline"} --json "$out/gpu.json" >"$out/gpu.txt" 2> >(tee -a "$log" >&2) || status=$?
  cat "$out/gpu.txt"
  verdict "bench gpu" "$status" "$started"
}

look
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all_parts
for part in "$@"; do
  case $part in
    suite) step "device suite" 120 env KAON_TEST_DEVICE="$device" tests/gpu_test "[gpu]" ;;
    traffic) all_traffic ;;
    paths) all_paths ;;
    memory) all_memory ;;
    killed) all_killed ;;
    digits) compare_digits ;;
    bench) measure ;;
    bench:*) measure "${part#bench:}" ;;
  esac
done
echo "$failed steps failed after $SECONDS s; all of the output: $log"
[ "$failed" = 0 ]
