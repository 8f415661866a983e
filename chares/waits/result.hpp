// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "kaon/runtime/work/reply_table.hpp"
#include "kaon/runtime/work/task.hpp"
#include "kaon/runtime/messages/typed_record.hpp"

namespace kaon::chares {

/// The result of an entry that returns nothing.
struct Nothing {};

template <class V>
using ValueOf = std::conditional_t<std::is_void_v<typename ResultOf<V>::type>, Nothing, typename ResultOf<V>::type>;

/// Takes the results of elements on its own PE.
class LocalResults {
 public:
  virtual void result(void* value) = 0;  // to be moved out of
  /// No more elements than so many will give one: some may have moved here, or away, since the first was asked.
  virtual void all_are_asked(std::uint64_t elements) = 0;

 protected:
  ~LocalResults() = default;
};

/// Where the result of an entry goes: nowhere, to the caller's slot on a PE, or to somebody here.
struct ResultTo {
  PeId pe = 0;
  ReplyTo reply;
  LocalResults* local = nullptr;
};

/// The message that brings a result home. Its `reply` names the slot.
template <class V>
class Reply {
  using Functions = MessageFunctions<V>;

 public:
  static void send(Pe& pe, PeId to, ReplyTo slot, V&& value) {
    Message& message = Functions::make(pe, *listed_, std::move(value));
    message.reply = slot;
    pe.route(message, to);
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<typename Functions::Typed&>(work);
    ReplyWaiter* waiter = pe.replies().close(message.reply);
    V value = std::move(std::get<0>(message.arguments));
    Functions::destroy(message, pe);
    pe.done();  // the message
    pe.done();  // the call
    if (waiter != nullptr) waiter->replied(&value);
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

template <class V>
void give_result(Pe& pe, const ResultTo& to, V value) {
  if (to.local != nullptr) return to.local->result(&value);
  if (to.reply) Reply<V>::send(pe, to.pe, to.reply, std::move(value));
}

}  // namespace kaon::chares
