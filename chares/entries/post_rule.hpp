// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entries/entry_traits.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::chares {

/// Names an entry in a post rule:
///
///   void take(int step, kaon::Payload<double> plane);
///   kaon::Landing post(kaon::PostFor<&Block::take>, int step, const kaon::Payload<double>& plane);
///
/// `post` is public, runs as the message arrives, sees its arguments (of payloads only the size) and says where the
/// payload goes. With several payloads it returns a std::array<Landing, N>, in the order of the arguments. Of messages
/// that are under way at a time each needs memory of its own: until the entry has ended its landing must not be given
/// again. A payload that landed there is a view of it, also after it was passed on.
template <auto E>
struct PostFor {};

template <auto E, class C, class Arguments>
inline constexpr bool declares_post = false;
template <auto E, class C, class... T>
inline constexpr bool declares_post<E, C, std::tuple<T...>> =
    requires(C& chare, const T&... arguments) { chare.post(PostFor<E>{}, arguments...); };

template <auto E, class C>
inline constexpr bool has_post_rule = [] {
  using Traits = EntryTraits<decltype(E)>;
  if constexpr (Traits::is_inbox)
    return true;  // given at run time, if at all
  else
    return declares_post<E, C, typename Traits::Arguments>;
}();

/// Stands for any argument: an lvalue, or a value.
struct AnyLvalue {
  template <class T>
  operator T&() const;
};
struct AnyValue {
  template <class T>
  operator T() const;
};
template <auto E, class C, class Any, std::size_t... I>
constexpr bool takes_post(std::index_sequence<I...> /*arguments*/) {
  return requires(C& chare) { chare.post(PostFor<E>{}, (static_cast<void>(I), Any{})...); };
}
/// True if there is a post for this entry, with any arguments.
template <auto E, class C>
inline constexpr bool mentions_post = []<std::size_t... N>(std::index_sequence<N...>) {
  return ((takes_post<E, C, AnyLvalue>(std::make_index_sequence<N>()) ||
           takes_post<E, C, AnyValue>(std::make_index_sequence<N>())) ||
          ...);
}(std::make_index_sequence<10>());

template <class T>
inline constexpr bool are_landings = false;
template <>
inline constexpr bool are_landings<Landing> = true;
template <std::size_t N>
inline constexpr bool are_landings<std::array<Landing, N>> = true;

/// The element whose post rule is asked. `message` is nullptr when its entry runs at once.
struct LandingTarget {
  ElementTable& table;
  std::uint64_t element;
  const Message* message = nullptr;

  /// Throws UsageError when another message was landed there whose entry has not run yet.
  void take(const void* data, std::size_t bytes) const {
    if (message != nullptr)
      table.holds().take(element, message, data, bytes);
    else
      table.holds().check(element, data, bytes);
  }
};

inline bool is_empty(const PayloadRecord* payload) { return payload == nullptr || payload->bytes == 0; }

/// Puts every payload where its landing says: announced ones will be received there, others are copied.
inline void place(const std::vector<PayloadRecord*>& payloads, const Landing* landings, std::size_t count,
                  const LandingTarget& where) {
  if (payloads.size() != count)
    throw UsageError("a post rule gave " + std::to_string(count) + " landings for " + std::to_string(payloads.size()) +
                     " payloads: return one for each");
  for (std::size_t i = 0; i < count; ++i) {
    if (is_empty(payloads[i])) continue;
    if (payloads[i]->state == PayloadState::fetching) throw_not_here();
    if (payloads[i]->state == PayloadState::deferred) continue;  // it was handed on before it was fetched
    if (landings[i].mode == Landing::Mode::into) where.take(landings[i].data, payloads[i]->bytes);
    if (payloads[i]->data == nullptr && landings[i].mode == Landing::Mode::later)
      payloads[i]->state = PayloadState::deferred;
    else if (payloads[i]->data == nullptr)
      land(*payloads[i], landings[i]);
    else
      relocate(*payloads[i], landings[i]);
  }
}

inline void place(const std::vector<PayloadRecord*>& payloads, const Landing& landing, const LandingTarget& where) {
  place(payloads, &landing, 1, where);
}
template <std::size_t N>
void place(const std::vector<PayloadRecord*>& payloads, const std::array<Landing, N>& landings,
           const LandingTarget& where) {
  place(payloads, landings.data(), N, where);
}

/// Asks the post rule, if there is one and something for it to place. False: it was not asked.
template <auto E, class C>
bool land_by_rule(C& chare, const typename EntryTraits<decltype(E)>::Arguments& arguments, const LandingTarget& where) {
  if constexpr (EntryTraits<decltype(E)>::is_inbox)
    if (!(chare.*E).has_rule()) return false;
  std::vector<PayloadRecord*> payloads;
  Writer collector = Writer::collector(payloads);
  std::apply([&](const auto&... values) { (void)collector(values...); }, arguments);
  if (std::all_of(payloads.begin(), payloads.end(), is_empty)) return false;
  if constexpr (EntryTraits<decltype(E)>::is_inbox) {
    if (payloads.size() != 1)
      throw UsageError("the rule of an Inbox places one payload, and a message has " + std::to_string(payloads.size()) +
                       ": send them to an entry with a post rule, or in messages of their own");
    place(payloads, (chare.*E).landing(std::get<0>(arguments)), where);
  } else {
    const auto landings =
        std::apply([&](const auto&... values) { return chare.post(PostFor<E>{}, values...); }, arguments);
    static_assert(are_landings<std::remove_cvref_t<decltype(landings)>>,
                  "a post rule returns a kaon::Landing, or a std::array<kaon::Landing, N> for N payloads");
    place(payloads, landings, where);
  }
  return true;
}

}  // namespace kaon::chares
