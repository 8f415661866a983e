// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include "kaon/runtime/archive/archive.hpp"

namespace kaon::runtime {

/// The description of a class of exceptions that keeps its type on the way to another process.
struct ExceptionRecord {
  std::string_view name;
  bool (*is_of)(const std::exception& error);
  void (*pack)(const std::exception& error, Writer& out);
  std::exception_ptr (*unpack)(const std::string& text, Reader& in);
  const ExceptionRecord* next = nullptr;

  /// Adds it to the list. Before main only.
  static void enlist(ExceptionRecord& record) noexcept;
  /// nullptr when there is none.
  static const ExceptionRecord* find(const std::exception& error);
  static const ExceptionRecord* find(std::string_view name);
};

/// Exceptions of this class that leave an entry are thrown as such where its result is awaited, also in another
/// process:
///
///   inline const kaon::ExceptionType<TooHot> too_hot;     // in the header of the class
///
/// E is made from what() of the exception, or by default; what it has beside goes along when it has a pup.
template <class E>
class ExceptionType {
 public:
  ExceptionType() noexcept { static_cast<void>(kIsListed); }

 private:
  static constexpr bool kTakesText = std::is_constructible_v<E, const std::string&>;
  static constexpr bool kIsPacked = archive::user_code<E> != archive::UserCode::none;
  static_assert(std::is_base_of_v<std::exception, E> && std::is_copy_constructible_v<E>,
                "ExceptionType<E>: E is a class of exceptions, derived from std::exception");
  static_assert(kTakesText || std::is_default_constructible_v<E>,
                "ExceptionType<E>: E is made from a std::string, its text, or by default");

  static bool is_of(const std::exception& error) { return typeid(error) == typeid(E); }
  static void pack(const std::exception& error, Writer& out) {
    if constexpr (kIsPacked) out(static_cast<const E&>(error));
  }
  static std::exception_ptr unpack(const std::string& text, Reader& in) {
    E error = [&] {
      if constexpr (kTakesText)
        return E(text);
      else
        return E();
    }();
    if constexpr (kIsPacked) in(error);
    return std::make_exception_ptr(std::move(error));
  }
  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }

  static inline ExceptionRecord record_{name(), &is_of, &pack, &unpack};
  static inline const bool kIsListed = (ExceptionRecord::enlist(record_), true);
};

}  // namespace kaon::runtime
