#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether Jacobi3D in many blocks, driven by the host, takes the same time in each run, from the bundle on a machine with
# two GPUs:
#   bench/gpu/steady.sh [RUNS [BLOCKS [ITERATIONS]]]
# Prints microseconds an iteration of each run and how its kernels were launched; then the median, the longest over the
# median, and ends with 1 when that is above 1.3. RUNS: 10. BLOCKS: of 512x256x256 points on two GPUs, 8x4x4.
# ITERATIONS: 1000.
set -uo pipefail
runs=${1:-10} blocks=${2:-8x4x4} iterations=${3:-1000}
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 2
[ -x bin/jacobi3d ] || { echo "steady.sh: run it from a bundle, as ./dev bundle makes one" >&2; exit 2; }
times=()
for ((run = 1; run <= runs; ++run)); do
  said=$(timeout 60 bin/kaonrun -n 2 bin/jacobi3d --device "${DEVICE:-cuda}" --pes 1 --cells 512x256x256 --blocks "$blocks" \
    --iterations "$iterations" --explain-transfers 2>&1) || { echo "$said" >&2; exit 1; }
  times+=("$(sed -nE 's/.* ([0-9.]+) ms\/iteration.*/\1/p' <<<"$said")")
  echo "${times[-1]} ms; $(grep '^gathered' <<<"$said")"
done
printf '%s\n' "${times[@]}" | sort -n | awk '{ each[NR] = $1 * 1000 }
  END { median = (each[int((NR + 1) / 2)] + each[int(NR / 2) + 1]) / 2
    printf "median %.1f us, longest %.1f us, %.2f of the median\n", median, each[NR], each[NR] / median
    exit each[NR] > 1.3 * median }'
