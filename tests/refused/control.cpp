// compiles
// SPDX-License-Identifier: Apache-2.0
#include "runtime/task.hpp"

#include <memory>

int main() { return std::make_unique<int>(0) ? 0 : 1; }
