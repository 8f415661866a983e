// SPDX-License-Identifier: Apache-2.0
// What most tests include; compiled once for each of their larger executables. No source relies on it.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
