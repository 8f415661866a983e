// expect: this smart pointer cannot be sent
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <vector>

#include <kaon/kaon.hpp>

void unpack(kaon::Reader& in, std::vector<std::shared_ptr<int[]>>& values) { in(values); }
