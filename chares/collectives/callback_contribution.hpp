// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kaon/chares/collectives/reduction.hpp"
#include "kaon/chares/waits/callback.hpp"
#include "kaon/chares/waits/result.hpp"

namespace kaon::chares {

namespace contributors {

[[noreturn]] void throw_different_callbacks();

/// True if a V can be sent to a callback of types T: converted as it is, or part by part if V is a tuple. A callback
/// without values accepts any V and only notifies its target.
template <class V, class... T>
inline constexpr bool fits = false;
template <class V>
inline constexpr bool fits<V> = true;
template <class V, class T>
inline constexpr bool fits<V, T> = std::is_convertible_v<V, T>;
template <class... P, class... T>
  requires(sizeof...(T) > 1 && sizeof...(P) == sizeof...(T))
inline constexpr bool fits<std::tuple<P...>, T...> = (std::is_convertible_v<P, T> && ...);

template <class V, class... T>
void send(const Callback<T...>& to, [[maybe_unused]] V result) {
  if constexpr (sizeof...(T) == 0)
    to.send();
  else if constexpr (sizeof...(T) == 1)
    to.send(std::move(result));
  else
    std::apply([&](auto&... parts) { to.send(std::move(parts)...); }, result);
}

}  // namespace contributors

/// The end of a reduction whose result goes to one target, which all contributors have named. The PEs hear no more than
/// that it is over.
template <class V, class... T>
class ToCallback {
 public:
  using Target = Callback<T...>;
  using Down = Nothing;

  void note(const Target& target) {
    if (target_ && target_ != target) contributors::throw_different_callbacks();
    target_ = target;
  }
  const Target& target() const { return target_; }
  Nothing give_at_root(V&& result) const {
    contributors::send(target_, std::move(result));
    return {};
  }
  static void give(Nothing) {}
  static void fail(const std::exception_ptr&) {}

 private:
  Target target_;
};

/// One element's part in such a reduction. Throws UsageError for a callback that names nothing.
template <class Op, class V, class... T>
void contribute_to_callback(const Contributors& contributors, ElementBase& element, V value, const Callback<T...>& to) {
  if (!to) callbacks::throw_empty();
  Reduction<V, Op, ToCallback<V, T...>>::contribute(contributors, contributors.take_number(element), std::move(value),
                                                    to);
}

}  // namespace kaon::chares
