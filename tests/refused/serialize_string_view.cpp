// expect: a view (string_view, span) means nothing in another process
// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <tuple>

#include <kaon/kaon.hpp>

void pack(kaon::Writer& out, const std::tuple<int, std::string_view>& line) { out(line); }
