// expect: Buffer<T>: bytes travel as they are, so T must be trivially copyable
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

std::size_t count(const kaon::gpu::Buffer<std::string>& names) { return names.size(); }
