// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::chares {

class ElementTable;

/// Tells PE 0, the root of reductions, which sections lost a member with an element. Called on the home of the element.
void note_end_of_member(ElementTable& table, std::uint64_t element);

/// Throws UsageError: a reduction over a section waits for elements that are no more.
[[noreturn]] void throw_member_was_deleted(const ElementTable& table);
/// Throws UsageError: an array that has lost elements is to give a value of every element, which would never come.
[[noreturn]] void throw_deleted_before_contribution(const ElementTable& table);

}  // namespace kaon::chares
