#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All that must be seen on a machine with GPUs, in one call, from the bundle: bench/gpu/campaign.sh FOLDER [DEVICE]
# Writes campaign.log, gpu.txt and gpu.json to FOLDER; ends with 1 when a step failed. DEVICE is cuda, or host to try
# the steps on the emulation. MINUTES, ROUNDS: of the benchmark (5, 5).
set -uo pipefail

[ $# -ge 1 ] || { echo "campaign.sh: give the folder for the results, as in: campaign.sh out" >&2; exit 2; }
device=${2:-cuda}
mkdir -p "$1" || exit 2
out=$(cd "$1" && pwd)
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 2
[ -x tests/gpu_test ] || { echo "campaign.sh: run it from a bundle, as ./dev bundle makes one" >&2; exit 2; }
log=$out/campaign.log
: >"$log"
failed=0
unset KAON_DEVICE KAON_TRANSPORT  # each step names its own

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
  said=$(timeout -k 5 "$seconds" "$@" 2>&1) || status=$?
  # A program that finds no device says so and takes the emulation.
  [[ $device = host || $said != *"Taking --device host"* ]] || status="no device"
  { echo "== $name: $*"; echo "$said"; } >>"$log"
  [ "$status" = 0 ] || tail -n 15 <<<"$said"
  verdict "$name" "$status" "$started"
}

# What sees the machine as it is, for whoever reads the results later.
look() {
  { nvidia-smi -L && nvidia-smi topo -m; ls -d /dev/nvidia[0-9]* /proc/driver/nvidia/gpus/*; nproc
    LD_LIBRARY_PATH=lib bin/ucx_info -d | grep -E 'Transport|Device'; } >>"$log" 2>&1
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

# killed HOW VICTIM: one of two processes is killed while a payload is under way; the run must name it and end at once,
# and the other one must not crash on its way out.
killed() {
  local how=$1 victim=$2 started=$SECONDS status=0 said=$out/killed.txt pid runner
  timeout -k 5 120 bin/kaonrun -n 2 tests/device_endless_program "$how" 256 --device "$device" --pes 1 >"$said" 2>&1 &
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
  said=$(timeout -k 5 60 bin/kaonrun "${@:1:2}" bin/jacobi3d --cells 64x48x32 --blocks 2x2x2 --iterations 200 \
    --pes 1 "${@:3}" 2>&1)
  echo "== jacobi3d $*: $said" >>"$log"
  [[ $device = host || $said != *"Taking --device host"* ]] || return
  sed -nE 's/.*(change [^ ]+  sum [^ ]+) .*/\1/p' <<<"$said"
}

compare_digits() {
  local processes transport started=$SECONDS there here status
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

measure() {
  local started=$SECONDS status=0 minutes=${MINUTES:-5}
  timeout -k 5 $((${minutes%.*} * 60 + 180)) python3 bench/gpu/gpu.py --device "$device" --minutes "$minutes" \
    --rounds "${ROUNDS:-5}" --json "$out/gpu.json" >"$out/gpu.txt" 2> >(tee -a "$log" >&2) || status=$?
  cat "$out/gpu.txt"
  verdict "bench gpu" "$status" "$started"
}

look
step "device suite" 120 env KAON_TEST_DEVICE="$device" tests/gpu_test "[gpu]"
all_traffic
if [ "$device" = cuda ]; then
  step "memory taken from CUDA itself" 60 bin/kaonrun -n 2 tests/cuda_memory_program --device cuda --pes 1
  for kind in torch torch-vmm cupy cupy-pool; do
    step "memory of Python's libraries, $kind" 60 bin/kaonrun -n 2 python3 tests/library_memory.py "$kind"
  done
  # What stands in for another host: no mapping of memory between processes.
  UCX_TLS=posix,cma,tcp,cuda_copy traffic 2 direct exchange
  UCX_TLS=tcp,cuda_copy traffic 2 direct several
fi
all_killed
compare_digits
measure
echo "$failed steps failed; all of the output: $log"
[ "$failed" = 0 ]
