// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "kaon/runtime/pe/reply.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

/// The result of an entry that returns nothing.
struct Nothing {};

template <class V>
using ValueOf = std::conditional_t<std::is_void_v<typename ResultOf<V>::type>, Nothing, typename ResultOf<V>::type>;

/// The result of a branch of the tree. Empty if no element is in it.
template <class V>
using Partial = std::optional<V>;

/// Gives the result of an element's entry to who awaits it. Receivers on this PE take Partial<V>.
template <class V>
void give(Pe& pe, const ResultTo& to, V value) {
  if (to.receiver == nullptr) return give_result<V>(pe, to, std::move(value));
  static_cast<Result<Partial<V>>&>(*to.result).set(std::move(value));
  to.receiver->run(*to.receiver, pe);
}

}  // namespace kaon::chares
