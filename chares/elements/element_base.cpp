// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/element_base.hpp"

namespace kaon::chares {
namespace {

thread_local ElementBase::Position constructing;

}  // namespace

ElementBase::ElementBase() : table_(constructing.table), index_and_reduction_(constructing.index_and_reduction) {}

ElementBase::Construction::Construction(const Position& position) { constructing = position; }
ElementBase::Construction::~Construction() { constructing = {}; }

}  // namespace kaon::chares
