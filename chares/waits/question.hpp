// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <tuple>
#include <utility>

#include "kaon/chares/waits/call.hpp"

namespace kaon::chares {

/// Runs a function on another PE and awaits what it returns: the runtime's own calls. `F` is a V(Pe&, Args...) with
/// Args values.
template <auto F>
class Question {
  template <class>
  struct Signature;
  template <class V, class... Args>
  struct Signature<V (*)(Pe&, Args...)> {
    using Value = V;
    using Functions = MessageFunctions<Args...>;
  };
  using Functions = typename Signature<decltype(F)>::Functions;
  using Typed = typename Functions::Typed;

 public:
  using Value = typename Signature<decltype(F)>::Value;

  template <class... A>
  static Call<Value, Value> ask(Pe& pe, PeId to, A&&... arguments) {
    return Call<Value, Value>(pe, Functions::make(pe.pool(), *listed_, std::forward<A>(arguments)...), to);
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    note_running(pe, message);
    const ResultTo to{message.source, message.reply};
    auto value = std::apply([&](auto&... values) { return F(pe, std::move(values)...); }, message.arguments);
    Functions::destroy(message, pe.pool());
    give_result<Value>(pe, to, std::move(value));
    pe.count_done();
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::template record<Question>(name(), &invoke);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
