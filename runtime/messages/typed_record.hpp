// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kaon/runtime/archive/copyable.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

/// The type-dependent half of an EntryRecord for messages with arguments of these types.
template <class... Args>
struct MessageFunctions {
  using Typed = TypedMessage<Args...>;

  template <class... A>
  static Typed& make(Pe& pe, const EntryRecord& record, A&&... values) {
    Typed& message = *new (pe.pool().allocate(sizeof(Typed))) Typed(record, std::in_place, std::forward<A>(values)...);
    return with_header(message, pe);
  }

  static void pack(const Message& message, Writer& out) {
    std::apply([&](const auto&... values) { (void)out(values...); }, static_cast<const Typed&>(message).arguments);
  }

  static Message* unpack(const EntryRecord& record, Reader& in, Pe& pe) {
    Typed& message = *new (pe.pool().allocate(sizeof(Typed))) Typed(record);
    with_header(message, pe);
    try {
      std::apply([&](auto&... values) { (void)in(values...); }, message.arguments);
    } catch (...) {
      destroy(message, pe);
      throw;
    }
    return &message;
  }

  static void destroy(Message& message, Pe& pe) noexcept {
    release_message(static_cast<Typed&>(message), pe.pool(), pe.pool_of(message.home));
  }

  static Message* copy([[maybe_unused]] const Message& message, [[maybe_unused]] Pe& pe) {
    if constexpr ((is_copyable<Args> && ...)) {
      const auto& from = static_cast<const Typed&>(message);
      Typed& to =
          std::apply([&](const auto&... values) -> Typed& { return make(pe, *from.entry, values...); }, from.arguments);
      copy_header(from, to);
      return &to;
    } else {
      return nullptr;
    }
  }

  /// The record of an entry with these arguments.
  static constexpr EntryRecord record(std::string_view name, void (*invoke)(Work&, Pe&),
                                      const void* chare_type = nullptr, void (*post)(Message&, Pe&) = nullptr) {
    return {name, name, sizeof(Typed), invoke, &pack, &unpack, &destroy, &copy, post, chare_type};
  }

 private:
  static Typed& with_header(Typed& message, Pe& pe) {
    message.run = message.entry->invoke;
    message.home = pe.pool().home();
    message.source = pe.id();
    return message;
  }
};

}  // namespace kaon::runtime
