// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

enum class Counting : bool { uncounted, counted };

/// The messages with what a function takes behind its first parameter.
template <class Function>
struct ArgumentsBehindFirst;
template <class First, class... Args>
struct ArgumentsBehindFirst<void (*)(First&, Args...)> {
  using Functions = MessageFunctions<Args...>;
};

/// Runs of one function on another PE: the runtime's own messages. `F` is a void(Pe&, Args...) with Args values.
/// Uncounted ones take the control lane and are invisible to quiescence.
template <auto F, Counting counting = Counting::uncounted>
class RemoteProcedure {
  using Functions = typename ArgumentsBehindFirst<decltype(F)>::Functions;
  using Typed = typename Functions::Typed;

 public:
  template <class... A>
  static void send(Pe& pe, PeId to, A&&... arguments) {
    Message& message = Functions::make(pe.pool(), *listed_, std::forward<A>(arguments)...);
    if (counting == Counting::uncounted) message.flags |= kControlMessage;
    pe.route(message, to);
  }
  /// Its number among the kinds of work: see Promptness.
  static std::uint32_t kind() { return listed_->id; }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    note_running(pe, message);
    const bool is_counted = !(message.flags & kControlMessage);
    struct Release {  // also when F throws
      Typed& message;
      Pe& pe;
      ~Release() { Functions::destroy(message, pe.pool()); }
    };
    {
      Release release{message, pe};
      std::apply([&](auto&... values) { F(pe, std::move(values)...); }, message.arguments);
    }
    if (is_counted) pe.count_done();
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }

  static inline EntryRecord record_ = Functions::template record<RemoteProcedure>(name(), &invoke);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::runtime
