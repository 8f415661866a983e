#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How Jacobi3D scales over the GPUs of a machine, in one call, from the bundle, in less than nine minutes:
#   bench/gpu/scaling.sh FOLDER [DEVICE [OPTION...]]
# Writes machine.txt, scaling.txt and scaling.json to FOLDER. DEVICE is cuda, or host to try everything on the emulation.
# OPTIONs go to bench/gpu/scaling.py. LIMIT_S: of the whole call (530).
set -uo pipefail

fail_usage() { echo "scaling.sh: $1" >&2; exit 2; }

[ $# -ge 1 ] || fail_usage "give the folder for the results, as in: scaling.sh out"
device=${2:-cuda}
[ "$device" = cuda ] || [ "$device" = host ] || fail_usage "the device is cuda or host, not '$device'"
mkdir -p "$1" || exit 2
out=$(cd "$1" && pwd)
shift $(($# < 2 ? $# : 2))
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 2
[ -x bin/kaonrun ] || fail_usage "run it from a bundle, as ./dev bundle makes one"
limit=${LIMIT_S:-530}
unset KAON_DEVICE KAON_TRANSPORT  # each case names its own

{ date -u +%FT%TZ; timeout 20 nvidia-smi -L; timeout 20 nvidia-smi topo -m; nproc; } >"$out/machine.txt" 2>&1

# A round that has begun is ended, so some time is kept for it; what was measured before a stop is written all the same.
minutes=$(awk -v left="$((limit - SECONDS))" 'BEGIN { m = (left - 60) / 60; print (m < 0.1 ? 0.1 : m) }')
timeout -k 10 $((limit - SECONDS)) python3 bench/gpu/scaling.py --device "$device" --minutes "$minutes" \
  --json "$out/scaling.json" "$@" >"$out/scaling.txt" 2> >(tee "$out/said.txt" >&2)
status=$?
cat "$out/scaling.txt"
exit $status
