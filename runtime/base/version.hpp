// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/base/namespaces.hpp"
namespace kaon::runtime {
inline constexpr char kVersion[] = "0.1.0";
}
