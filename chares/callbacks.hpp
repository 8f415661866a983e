// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kaon/chares/element.hpp"
#include "kaon/chares/runtime.hpp"
#include "kaon/chares/section.hpp"
#include "kaon/chares/waits/callback.hpp"
#include "kaon/chares/waits/future.hpp"

namespace kaon::chares {

namespace callbacks {

template <auto E, class C>
struct ToElement {
  template <class... T>
  static void send(const CallbackTarget& to, T&&... values) {
    Element<C>(to.place, to.number).with_priority(to.priority).template send<E>(std::move(values)...);
  }
};

/// To a section of an array, or, with 0 for its number, to all of it.
template <auto E, class C>
struct ToSeveral {
  template <class... T>
  static void send(const CallbackTarget& to, T&&... values) {
    Section<C>(to.place, static_cast<std::uint32_t>(to.number), 0).template broadcast<E>(std::move(values)...);
  }
};

template <auto F, class... T>
void run_function(Pe& pe, T... values) {
  if constexpr (std::is_invocable_v<decltype(F), Runtime&, T&&...>) {
    Runtime runtime(pe);
    F(runtime, std::move(values)...);
  } else {
    F(std::move(values)...);
  }
}

template <auto F>
struct ToFunction {
  template <class... T>
  static void send(const CallbackTarget& to, T&&... values) {
    RemoteProcedure<&run_function<F, T...>, Counting::counted>::send(futures::calling_pe(to.place), to.place,
                                                                     std::move(values)...);
  }
};

template <class... T>
struct Values {};

/// The values that a callback takes: those that were named, or all that the entry or function takes.
template <class... A>
Values<std::remove_cvref_t<A>...> of_entry(std::type_identity<std::tuple<A...>>);
template <class R, class... A>
Values<std::remove_cvref_t<A>...> of_function(R (*)(A...));
template <class R, class... A>
Values<std::remove_cvref_t<A>...> of_function(R (*)(Runtime&, A...));

template <auto E>
using ValuesOfEntry = decltype(of_entry(std::type_identity<typename EntryTraits<decltype(E)>::Arguments>{}));

template <class Named, class All>
using NamedOr = std::conditional_t<std::is_same_v<Named, Values<>>, All, Named>;

template <class Kind, class... T>
Callback<T...> make(Values<T...>, const CallbackTarget& target) {
  return CallbacksOf<Kind, T...>::make(target);
}

template <auto E, class C, class... T>
constexpr bool check_values(Values<T...>) {
  return proxy::check_send<E, C, T...>();
}

template <auto F, class... T>
constexpr bool check_function(Values<T...>) {
  using Function = decltype(F);
  constexpr bool kRuns = std::is_invocable_v<Function, T&&...> || std::is_invocable_v<Function, Runtime&, T&&...>;
  static_assert(kRuns, "callback<&function>(pe): the function does not take these values, perhaps behind a Runtime&");
  if constexpr (kRuns) {
    constexpr bool kReturns =
        std::is_invocable_r_v<void, Function, T&&...> || std::is_invocable_r_v<void, Function, Runtime&, T&&...>;
    constexpr bool kIsVoid = [] {
      if constexpr (std::is_invocable_v<Function, Runtime&, T&&...>)
        return std::is_void_v<std::invoke_result_t<Function, Runtime&, T&&...>>;
      else
        return std::is_void_v<std::invoke_result_t<Function, T&&...>>;
    }();
    static_assert(kIsVoid, "callback<&function>(pe): nobody waits for what the function returns: let it return void");
    return kReturns && kIsVoid && (require_received<T>() && ...);
  }
  return false;
}

}  // namespace callbacks

/// `callback<&Chare::entry>(to)`: runs an entry of the element with what the callback is sent, by the priority of `to`.
/// Its values are the parameters of the entry, or what is named behind it and converts to them:
/// `callback<&Chare::entry, int>(to)` is a Callback<int>.
template <auto E, class... T, class C>
auto callback(const Element<C>& to) {
  using Values = callbacks::NamedOr<callbacks::Values<T...>, callbacks::ValuesOfEntry<E>>;
  if constexpr (callbacks::check_values<E, C>(Values{}))
    return callbacks::make<callbacks::ToElement<E, C>>(Values{}, {to.collection(), to.priority(), to.number()});
}

/// The same for every element of an array or a group, or every member of a section: a broadcast.
template <auto E, class... T, class C>
auto callback(const Proxy<C>& to) {
  using Values = callbacks::NamedOr<callbacks::Values<T...>, callbacks::ValuesOfEntry<E>>;
  if constexpr (callbacks::check_values<E, C>(Values{}) && proxy::check_broadcast<E>())
    return callbacks::make<callbacks::ToSeveral<E, C>>(Values{}, {to.id(), 0, 0});
}
template <auto E, class... T, class C>
auto callback(const Section<C>& to) {
  using Values = callbacks::NamedOr<callbacks::Values<T...>, callbacks::ValuesOfEntry<E>>;
  if constexpr (callbacks::check_values<E, C>(Values{}) && proxy::check_broadcast<E>())
    return callbacks::make<callbacks::ToSeveral<E, C>>(Values{}, {to.id(), 0, to.number()});
}

/// `callback<&function>(pe)`: runs the function on that PE with what the callback is sent, perhaps behind a Runtime&.
/// What it throws ends the run. Throws UsageError when there is no such PE.
template <auto F, class... T>
auto callback(PeId pe)
  requires(std::is_function_v<std::remove_pointer_t<decltype(F)>>)
{
  using Values = callbacks::NamedOr<callbacks::Values<T...>, decltype(callbacks::of_function(F))>;
  static_cast<void>(futures::calling_pe(pe));
  if constexpr (callbacks::check_function<F>(Values{}))
    return callbacks::make<callbacks::ToFunction<F>>(Values{}, {pe, 0, 0});
}

template <class... T>
Future<T...> Runtime::future() {
  static_assert((require_serializable<T>() && ...));
  return Future<T...>(pe_);
}

}  // namespace kaon::chares
