// expect: unique_ptr and shared_ptr cannot be sent
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

#include <memory>
#include <vector>

void unpack(kaon::Reader& in, std::vector<std::shared_ptr<int>>& values) { in(values); }
