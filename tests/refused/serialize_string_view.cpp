// expect: a view (string_view, span) means nothing in another process
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

#include <string_view>
#include <tuple>

void pack(kaon::Writer& out, const std::tuple<int, std::string_view>& line) { out(line); }
