// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "kaon/runtime/messages/entry_table.hpp"

namespace kaon::chares {

/// Where a callback leads, as its kind reads it.
struct CallbackTarget {
  std::uint32_t place = 0;  // a collection, or a PE
  std::int32_t priority = 0;
  std::uint64_t number = 0;  // an element, a section, or the slot of a future

  bool operator==(const CallbackTarget&) const = default;
};

namespace callbacks {

/// The record of one kind of callback, listed with the entries for one number in all processes. No message is of it.
constexpr EntryRecord listing(std::string_view name, const char* values, const std::type_info& instance);
/// The record with this number, of callbacks that take these values. Throws CorruptMessage when there is none.
const EntryRecord& find(std::uint32_t number, const char* values);
[[noreturn]] void throw_empty();

template <class... T>
inline constexpr char kValues = 0;  // its address tells which values a callback takes

}  // namespace callbacks

/// One way to take values of these types. An object of static storage for each way that the program names.
template <class... T>
struct CallbackRecord : EntryRecord {
  void (*send)(const CallbackTarget& to, T&&... values);
};

/// An action with values of these types, or without values: an entry of one or many elements, a function on a PE, or a
/// future that a task awaits. A value of three words, to be copied, kept and sent. Its type does not show which of
/// these it names. See callback<&Chare::entry>(to) and Future.
template <class... T>
class Callback {
 public:
  /// Names nothing.
  Callback() = default;
  Callback(const CallbackRecord<T...>& record, const CallbackTarget& target) : record_(&record), target_(target) {}

  /// Brings it about, by a message; from any PE, and as often as its target bears. Throws what a send to the target
  /// throws, and UsageError when it names nothing.
  void send(T... values) const {
    if (record_ == nullptr) callbacks::throw_empty();
    record_->send(target_, std::move(values)...);
  }
  void operator()(T... values) const { send(std::move(values)...); }

  /// True if it names a target.
  explicit operator bool() const { return record_ != nullptr; }
  bool operator==(const Callback&) const = default;

  template <class Archive>
  void pup(Archive& archive) {
    std::uint32_t number = record_ == nullptr ? kNothing : record_->id;
    archive(number, target_);
    if constexpr (Archive::is_loading)
      record_ = number == kNothing
                    ? nullptr
                    : &static_cast<const CallbackRecord<T...>&>(callbacks::find(number, &callbacks::kValues<T...>));
  }

 private:
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};

  const CallbackRecord<T...>* record_ = nullptr;
  CallbackTarget target_;
};

/// The callbacks of one kind, which is a class with a function `void send(const CallbackTarget&, T&&...)`.
template <class Kind, class... T>
class CallbacksOf {
 public:
  static Callback<T...> make(const CallbackTarget& target) {
    return {static_cast<const CallbackRecord<T...>&>(*listed_), target};
  }

 private:
  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline CallbackRecord<T...> record_{callbacks::listing(name(), &callbacks::kValues<T...>, typeid(CallbacksOf)),
                                             &Kind::template send<T...>};
  static inline const EntryRecord* const listed_ = enlist(record_);
};

namespace callbacks {

[[noreturn]] void throw_message();
inline void refuse_to_run(Work&, Pe&) { throw_message(); }
inline void refuse_to_pack(const Message&, Writer&) { throw_message(); }
inline Message* refuse_to_unpack(const EntryRecord&, Reader&, Pool&) { throw_message(); }
inline void destroy_nothing(Message&, Pool&) noexcept {}
inline Message* copy_nothing(const Message&, Pool&) { return nullptr; }

constexpr EntryRecord listing(std::string_view name, const char* values, const std::type_info& instance) {
  return {name,
          name,
          sizeof(Message),
          false,
          &refuse_to_run,
          &refuse_to_pack,
          &refuse_to_unpack,
          &destroy_nothing,
          &copy_nothing,
          nullptr,
          values,
          nullptr,
          nullptr,
          nullptr,
          &instance};
}

}  // namespace callbacks

}  // namespace kaon::chares
