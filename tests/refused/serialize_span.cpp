// expect: a view (string_view, span) means nothing in another process
// SPDX-License-Identifier: Apache-2.0
#include <span>

#include <kaon/kaon.hpp>

void pack(kaon::Writer& out, std::span<const double> values) { out(values); }
