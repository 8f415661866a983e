// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "chares/entry_traits.hpp"
#include "runtime/error.hpp"
#include "runtime/payload.hpp"
#include "runtime/payload_record.hpp"

namespace kaon {

/// Names an entry in a post rule:
///
///   void take(int step, kaon::Payload<double> plane);
///   kaon::Landing post(kaon::PostFor<&Block::take>, int step, const kaon::Payload<double>& plane);
///
/// `post` runs as the message arrives, sees its arguments (of payloads only the size) and says where the payload goes.
/// With several payloads it returns a std::array<Landing, N>, in the order of the arguments.
template <auto E>
struct PostFor {};

template <auto E, class C, class Arguments>
inline constexpr bool declares_post = false;
template <auto E, class C, class... T>
inline constexpr bool declares_post<E, C, std::tuple<T...>> =
    requires(C& chare, const T&... arguments) { chare.post(PostFor<E>{}, arguments...); };

template <auto E>
inline constexpr bool has_post_rule = [] {
  using Traits = EntryTraits<decltype(E)>;
  if constexpr (Traits::is_inbox)
    return true;  // given at run time, if at all
  else
    return declares_post<E, typename Traits::Chare, typename Traits::Arguments>;
}();

inline bool is_empty(const PayloadRecord* payload) { return payload == nullptr || payload->bytes == 0; }

/// Puts every payload where its landing says: announced ones will be received there, others are copied.
inline void place(const std::vector<PayloadRecord*>& payloads, const Landing* landings, std::size_t count) {
  if (payloads.size() != count)
    throw UsageError("a post rule gave " + std::to_string(count) + " landings for " + std::to_string(payloads.size()) +
                     " payloads: return one for each");
  for (std::size_t i = 0; i < count; ++i) {
    if (is_empty(payloads[i])) continue;
    if (payloads[i]->is_arriving) throw_not_here();
    if (payloads[i]->is_later) continue;  // it was handed on before it was fetched
    if (payloads[i]->data == nullptr && landings[i].mode == Landing::Mode::later)
      payloads[i]->is_later = true;
    else if (payloads[i]->data == nullptr)
      land(*payloads[i], landings[i]);
    else
      relocate(*payloads[i], landings[i]);
  }
}

inline void place(const std::vector<PayloadRecord*>& payloads, const Landing& landing) { place(payloads, &landing, 1); }
template <std::size_t N>
void place(const std::vector<PayloadRecord*>& payloads, const std::array<Landing, N>& landings) {
  place(payloads, landings.data(), N);
}

/// Asks the post rule, if there is one and something for it to place. False: it was not asked.
template <auto E>
bool land_by_rule(typename EntryTraits<decltype(E)>::Chare& chare,
                  const typename EntryTraits<decltype(E)>::Arguments& arguments) {
  if constexpr (EntryTraits<decltype(E)>::is_inbox)
    if (!(chare.*E).has_rule()) return false;
  std::vector<PayloadRecord*> payloads;
  Writer collector = Writer::collector(payloads);
  std::apply([&](const auto&... values) { (void)collector(values...); }, arguments);
  if (std::all_of(payloads.begin(), payloads.end(), is_empty)) return false;
  if constexpr (EntryTraits<decltype(E)>::is_inbox) {
    place(payloads, (chare.*E).landing(std::get<0>(arguments)));
  } else {
    place(payloads, std::apply([&](const auto&... values) { return chare.post(PostFor<E>{}, values...); }, arguments));
  }
  return true;
}

}  // namespace kaon
