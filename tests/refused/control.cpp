// compiles
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "kaon/runtime/work/task.hpp"

int main() { return std::make_unique<int>(0) ? 0 : 1; }
