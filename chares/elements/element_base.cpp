// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/element_base.hpp"

namespace kaon::chares {
namespace {

thread_local ElementBase::Place constructing;

}  // namespace

ElementBase::ElementBase() : table_(constructing.table), place_(constructing.index_and_reduction) {}

ElementBase::Construction::Construction(const Place& place) { constructing = place; }
ElementBase::Construction::~Construction() { constructing = {}; }

}  // namespace kaon::chares
