// expect: Buffer<T>: bytes travel as they are, so T must be trivially copyable
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>
#include <kaon/gpu.hpp>

#include <string>

std::size_t count(const kaon::gpu::Buffer<std::string>& names) { return names.size(); }
