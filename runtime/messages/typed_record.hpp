// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kaon/runtime/archive/bulk.hpp"
#include "kaon/runtime/archive/copyable.hpp"
#include "kaon/runtime/archive/lost_members.hpp"
#include "kaon/runtime/messages/entry_table.hpp"

namespace kaon::runtime {

/// The type-dependent half of an EntryRecord for messages with arguments of these types. `pool` is that of the PE which
/// makes, reads or releases the message.
template <class... Args>
struct MessageFunctions {
  using Typed = TypedMessage<Args...>;

  template <class... A>
  static Typed& make(Pool& pool, const EntryRecord& record, A&&... values) {
    void* const memory = pool.allocate(sizeof(Typed));
    try {
      return with_header(*new (memory) Typed(record, std::in_place, std::forward<A>(values)...), pool);
    } catch (...) {  // of the copying of an argument
      pool.release(memory, sizeof(Typed));
      throw;
    }
  }

  static void pack(const Message& message, Writer& out) {
    std::apply([&](const auto&... values) { archive::pack_arguments(out, values...); },
               static_cast<const Typed&>(message).arguments);
  }

  static Message* unpack(const EntryRecord& record, Reader& in, Pool& pool) {
    Typed& message = *new (pool.allocate(sizeof(Typed))) Typed(record);
    with_header(message, pool);
    try {
      std::apply([&](auto&... values) { archive::unpack_arguments(in, values...); }, message.arguments);
    } catch (...) {
      destroy(message, pool);
      throw;
    }
    return &message;
  }

  static std::size_t bytes_held(const Message& message) {
    return std::apply([](const auto&... values) { return (std::size_t{0} + ... + archive::bytes_held(values)); },
                      static_cast<const Typed&>(message).arguments);
  }

  static void check_copy(const Message& message, const Message& copy) {
    const auto check = [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto& values = static_cast<const Typed&>(message).arguments;
      const auto& copies = static_cast<const Typed&>(copy).arguments;
      (archive::check_lost_members(std::get<I>(values), std::get<I>(copies)), ...);
    };
    check(std::index_sequence_for<Args...>());
  }

  static void destroy(Message& message, Pool& pool) noexcept { release_message(static_cast<Typed&>(message), pool); }

  static Message* copy([[maybe_unused]] const Message& message, [[maybe_unused]] Pool& pool) {
    if constexpr ((is_copyable<Args> && ...)) {
      const auto& from = static_cast<const Typed&>(message);
      Typed& to = std::apply([&](const auto&... values) -> Typed& { return make(pool, *from.entry, values...); },
                             from.arguments);
      copy_header(from, to);
      return &to;
    } else {
      return nullptr;
    }
  }

  /// The record of an entry with these arguments. `Instance` is a class of its own for each entry, or void where the
  /// name is enough: compilers name what a function template makes without its arguments.
  template <class Instance = void>
  static constexpr EntryRecord record(std::string_view name, void (*invoke)(Work&, Pe&),
                                      const void* chare_type = nullptr, void (*post)(Message&, Pe&) = nullptr,
                                      const void* (*inbox_of)(const void*) = nullptr) {
    EntryRecord made{name,    name,     sizeof(Typed), kIsPlain, invoke,     &pack,
                     &unpack, &destroy, &copy,         post,     chare_type, inbox_of};
    if constexpr ((archive::tells_bytes_held<Args> && ...)) made.bytes_held = &bytes_held;
    if constexpr ((archive::has_compared_bytes<Args> || ...)) made.check_copy = &check_copy;
    if constexpr (!std::is_void_v<Instance>) made.instance = &typeid(Instance);
    return made;
  }
  /// Same as record(), for a message whose loss would leave others waiting. If it cannot be sent, the PE that wanted to
  /// send it calls `lost` with the collection and element that the message was for and with its argument N.
  template <class Instance, std::size_t N, auto lost>
  static constexpr EntryRecord losable_record(std::string_view name, void (*invoke)(Work&, Pe&),
                                              const void* chare_type) {
    EntryRecord made = record<Instance>(name, invoke, chare_type);
    made.note_loss = &note_loss<N>;
    made.lost = &tell_loss<N, lost>;
    return made;
  }

 private:
  template <std::size_t N>
  static void note_loss(const Message& message, LossNote& note) {
    const auto& argument = std::get<N>(static_cast<const Typed&>(message).arguments);
    static_assert(std::is_trivially_copyable_v<std::decay_t<decltype(argument)>>);
    static_assert(sizeof argument <= sizeof note.argument);
    note.element = message.element;
    note.collection = message.collection;
    std::memcpy(note.argument, &argument, sizeof argument);
  }
  template <std::size_t N, auto lost>
  static void tell_loss(Pe& pe, const LossNote& note) {
    std::tuple_element_t<N, std::tuple<Args...>> argument;
    std::memcpy(&argument, note.argument, sizeof argument);
    lost(pe, note.collection, note.element, argument);
  }

  static constexpr std::size_t kMostPlainBytes = 256;
  static constexpr bool kIsPlain = (std::is_trivially_copyable_v<Args> && ...) && sizeof(Typed) <= kMostPlainBytes;

  static Typed& with_header(Typed& message, Pool& pool) {
    message.run = message.entry->invoke;
    message.home = pool.home();
    message.source = pool.owner();
    return message;
  }
};

}  // namespace kaon::runtime
