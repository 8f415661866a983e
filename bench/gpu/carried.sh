#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# On a machine with two GPUs, in the folder of a bundle: small payloads that resident schedulers carry. That they are
# right, what they cost beside those that the network moves, and up to which size that pays. carried.sh OUT
out=${1:?a folder for the results}
export KAON_DEVICE=cuda
both() { timeout -k 5 "$1" bin/kaonrun -n 2 "${@:2}" --pes 1; }

echo "== right: each hop adds 1 to all words, and the last one is compared"
for bytes in 8 24 1000 4096 65536; do
  KAON_CARRY_UP_TO=1048576 both 40 bench/hop --carried --sizes "$bytes" --milliseconds 10 --explain-transfers
done 2>&1 | tee "$out/right.txt"
echo "== tests of devices"
KAON_BUNDLE=$PWD timeout -k 5 150 tests/device_test "[outside]" 2>&1 | tail -15 | tee "$out/outside.txt"
echo "== costs"
timeout -k 5 170 bin/bench_gpu --only "small payloads" --rounds 5 --json "$out/carried.json" 2>&1 | tee "$out/carried.txt"
echo "== up to which size: the network, and carried"
for round in 1 2 3; do
  for most in 0 1048576; do
    echo "carried up to $most, round $round"
    KAON_CARRY_UP_TO=$most both 40 bench/device --carried --only latency --milliseconds 20 --sizes 1024,4096,16384,65536,262144
  done
done 2>&1 | tee "$out/sizes.txt"
echo "== entries"
timeout -k 5 60 bin/bench_gpu --only "entries" --rounds 3 --json "$out/entries.json" 2>&1 | tee "$out/entries.txt"
