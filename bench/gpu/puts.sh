#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a machine with two GPUs, in the folder of a bundle: puts, queue pairs and calls in the order of streams. Are they
# right, and what do they cost?   bench/gpu/puts.sh OUT [PART...]
# PART: right, puts, busy, queues, halo, mpi (all of them).
out=${1:?a folder for the results}
shift
export KAON_DEVICE=${KAON_DEVICE:-cuda}
mkdir -p "$out"
failed=0

# step NAME SECONDS COMMAND...: what it prints goes to the log and, of a failure, the end of it to the output.
step() {
  local name=$1 seconds=$2 status=0 started=$SECONDS
  shift 2
  timeout -k 5 "$seconds" "$@" >"$out/step.txt" 2>&1 || status=$?
  { echo "== $name: $*"; cat "$out/step.txt"; echo "== code $status"; } >>"$out/puts.log"
  if [ "$status" = 0 ]; then
    printf 'PASS %4d s  %s\n' $((SECONDS - started)) "$name"
  else
    printf 'FAIL (%s) %4d s  %s\n' "$status" $((SECONDS - started)) "$name"
    tail -n 12 "$out/step.txt"
    failed=$((failed + 1))
  fi
}
# rows FILE COMMAND...: a measurement, whose lines are kept and shown.
rows() {
  local file=$1
  shift
  timeout -k 5 150 "$@" >"$out/$file" 2>"$out/step.txt" || {
    echo "FAIL ($?) $*"
    tail -n 12 "$out/step.txt"
    failed=$((failed + 1))
  }
  cat "$out/$file"
}

right() {
  local program
  for program in device_puts_program device_queues_program; do
    step "$program, one process" 60 tests/$program --pes 2
    step "$program, two processes" 60 bin/kaonrun -n 2 tests/$program --pes 1
  done
  step "halo, one process" 60 bin/halo --pes 2
  step "halo, two processes" 60 bin/kaonrun -n 2 bin/halo --pes 1
  step "put_notify" 60 bin/put_notify --pes 2
}
puts() { rows puts.txt bin/gpu_puts --pes 2 --rounds "${ROUNDS:-5}"; }
# Puts of 8 B while all cores of the host are busy.
busy() {
  local spinners=() each
  rows idle.txt bin/gpu_puts --pes 2 --rounds "${ROUNDS:-5}" --sizes 8 --flood 1000
  for each in $(seq "$(nproc)"); do
    timeout 100 bash -c 'while :; do :; done' &
    spinners+=($!)
  done
  rows busy.txt bin/gpu_puts --pes 2 --rounds "${ROUNDS:-5}" --sizes 8 --flood 1000
  kill "${spinners[@]}" 2>/dev/null
  wait "${spinners[@]}" 2>/dev/null
}
queues() { rows queues.txt bin/gpu_queues --pes 2 --sizes 8,65536 --queues 1,16 --ring-every 1,32 --prefilled 1; }
halo() {
  local levels
  for levels in 1 3 6; do rows halo_$levels.txt bin/kaonrun -n 2 bin/halo --pes 1 --levels $levels --steps 500; done
}
mpi() { rows mpi_streams.txt bin/ampirun -n 2 --processes 2 bench/gpu_mpi_streams; }

[ $# -gt 0 ] || set -- right puts busy queues halo mpi
for part in "$@"; do "$part"; done
echo "$failed steps failed; all of the output: $out/puts.log"
[ "$failed" = 0 ]
