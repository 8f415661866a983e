// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string_view>
#include <utility>

#include "kaon/runtime/messages/failure.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

/// Where the result of an entry goes: nowhere, to a slot of a PE, or to a receiver on its own PE.
struct ResultTo {
  PeId pe = 0;
  ReplyTo reply;
  Work* receiver = nullptr;      // is run when the result is in `result`,
  ResultBase* result = nullptr;  // which is a Result of the type that receiver and entry agree on
};

[[noreturn]] void throw_unexpected_reply();

/// The message that brings a result home. Its `reply` names the slot.
template <class V>
class Reply {
  using Functions = MessageFunctions<V>;

 public:
  static void send(Pe& pe, PeId to, ReplyTo slot, V&& value) {
    Message& message = Functions::make(pe.pool(), *listed_, std::move(value));
    message.reply = slot;
    pe.route(message, to);
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<typename Functions::Typed&>(work);
    const auto closed = pe.replies().template close<V>(message.reply);
    if (!closed.is_expected) throw_unexpected_reply();
    if (closed.receiver != nullptr) closed.result->set(std::move(std::get<0>(message.arguments)));
    Functions::destroy(message, pe.pool());
    pe.count_done();
    if (closed.receiver != nullptr) closed.receiver->run(*closed.receiver, pe);
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

/// Gives an exception to who awaits the result of an entry. False: nobody does.
bool give_failure(Pe& pe, const ResultTo& to, const std::exception_ptr& error);

/// Sends on a message of somebody who may await a result. When it cannot be packed, that is the result; throws when
/// nobody awaits one.
void route_on(Pe& pe, Message& message, PeId to);

/// Gives a result to who awaits it. One that cannot be packed becomes a failure.
template <class V>
void give_result(Pe& pe, const ResultTo& to, V value) {
  if (!to.reply) return;
  try {
    Reply<V>::send(pe, to.pe, to.reply, std::move(value));
  } catch (...) {
    if (!give_failure(pe, to, std::current_exception())) throw;
  }
}

}  // namespace kaon::runtime
