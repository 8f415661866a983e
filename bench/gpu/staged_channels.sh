#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# On a machine with two GPUs, in the folder of a bundle: channels whose partner is out of reach, as on another host, which
# --transport staged makes of those within one. That all pairings are right on devices, and what Jacobi3D's levels take.
# staged_channels.sh OUT
out=${1:?a folder for the results}
export KAON_DEVICE=cuda
both() { timeout -k 5 "$1" bin/kaonrun -n 2 "${@:2}" --pes 1; }

echo "== right: each pairing of tasks, streams and entries"
for transport in direct staged; do
  both 60 tests/device_channel_program talk --transport "$transport" --explain-transfers
done 2>&1 | tee "$out/pairings.txt"
echo "== levels of Jacobi3D, by transport"
for round in 1 2 3; do
  for transport in direct staged; do
    for level in host channel device; do
      for blocks in 2x1x1 4x2x2; do
        echo "round $round, $transport, $level, $blocks"
        both 40 bin/jacobi3d --cells 256x128x128 --blocks "$blocks" --iterations 300 --level "$level" \
          --transport "$transport"
      done
    done
  done
done 2>&1 | tee "$out/levels.txt"
