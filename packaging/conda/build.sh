#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cmake -S "$SRC_DIR" -B build -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX="$PREFIX" \
  -D CMAKE_PREFIX_PATH="$PREFIX" -D CMAKE_INSTALL_LIBDIR=lib -D KAON_UCX_ROOT="$PREFIX" -D KAON_CUDA=OFF \
  -D KAON_BUILD_TESTS=OFF -D KAON_BUILD_EXAMPLES=OFF
cmake --build build
cmake --install build
