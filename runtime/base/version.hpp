// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace kaon {
inline constexpr char kVersion[] = "0.1.0";
}
