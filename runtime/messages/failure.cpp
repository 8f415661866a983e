// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/failure.hpp"

#include <cstddef>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <variant>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/exception_type.hpp"

namespace kaon::runtime {
namespace {

/// An exception of the standard's that takes no text, with the text that it had.
template <class E>
class WithText final : public E {
 public:
  WithText(E error, std::string text) : E(std::move(error)), text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Those that keep their types, or that of their nearest base here, without being asked: derived ones first, as the
/// first that fits is taken. A std::runtime_error arrives as a RemoteError, which is one.
using KnownErrors =
    std::tuple<UsageError, CorruptMessage, LostPeer, OutOfMemory, Deadlock, std::invalid_argument, std::domain_error,
               std::length_error, std::out_of_range, std::logic_error, std::range_error, std::overflow_error,
               std::underflow_error, std::bad_array_new_length, std::bad_alloc, std::bad_optional_access,
               std::bad_variant_access, std::bad_function_call, std::bad_typeid, std::bad_cast>;
constexpr std::size_t kKnown = std::tuple_size_v<KnownErrors>;
enum Kind : std::uint8_t { kOther = 253, kSystem = 254, kListed = 255 };
static_assert(kKnown < kOther);

std::uint8_t known_kind(const std::exception& error) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::uint8_t kind = kOther;
    static_cast<void>(((dynamic_cast<const std::tuple_element_t<I, KnownErrors>*>(&error) != nullptr &&
                        (kind = static_cast<std::uint8_t>(I), true)) ||
                       ...));
    return kind;
  }(std::make_index_sequence<kKnown>{});
}

template <class E>
std::exception_ptr make(const std::string& text) {
  if constexpr (std::is_constructible_v<E, const std::string&>)
    return std::make_exception_ptr(E(text));
  else
    return std::make_exception_ptr(WithText<E>(E(), text));
}

std::exception_ptr make_known(std::uint8_t kind, const std::string& text) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::exception_ptr made;
    static_cast<void>(((kind == I && (made = make<std::tuple_element_t<I, KnownErrors>>(text), true)) || ...));
    return made ? made : std::make_exception_ptr(RemoteError(text));
  }(std::make_index_sequence<kKnown>{});
}

/// An error of the system's, by its number; of other categories only the text is known elsewhere.
bool is_of_system(const std::error_code& code) {
  return code.category() == std::generic_category() || code.category() == std::system_category();
}
void pack_code(const std::error_code& code, Writer& out) {
  out(code.value(), code.category() == std::system_category());
}
std::exception_ptr unpack_code(const std::string& text, Reader& in) {
  int value = 0;
  bool is_system = false;
  in(value, is_system);
  const std::error_code code(value, is_system ? std::system_category() : std::generic_category());
  return std::make_exception_ptr(WithText<std::system_error>(std::system_error(code), text));
}

template <class Pack>
std::string packed(Pack pack) {
  Writer counted(nullptr, 0);
  pack(counted);
  std::string bytes(counted.bytes(), '\0');
  Writer out(reinterpret_cast<std::byte*>(bytes.data()), bytes.size());
  pack(out);
  return bytes;
}

Reader reader_of(const std::string& bytes, std::size_t from) {
  return {reinterpret_cast<const std::byte*>(bytes.data()) + from, bytes.size() - from};
}

/// The name of its class and what that packs; a process that does not list the class knows the text.
std::exception_ptr unpack_listed(const std::string& text, const std::string& detail) {
  const std::size_t end = std::min(detail.find('\0'), detail.size());
  const ExceptionRecord* const record = ExceptionRecord::find(std::string_view(detail).substr(0, end));
  if (record == nullptr) return std::make_exception_ptr(RemoteError(text));
  Reader in = reader_of(detail, std::min(end + 1, detail.size()));
  return record->unpack(text, in);
}

}  // namespace

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

void Failure::describe(std::uint8_t& kind, std::string& text, std::string& detail) const {
  kind = kOther;
  text = text_of(error_);
  try {
    std::rethrow_exception(error_);
  } catch (const std::exception& exception) {
    if (const ExceptionRecord* const record = ExceptionRecord::find(exception)) {
      kind = kListed;
      detail = std::string(record->name) + '\0' + packed([&](Writer& out) { record->pack(exception, out); });
    } else if (const auto* system = dynamic_cast<const std::system_error*>(&exception)) {
      if (!is_of_system(system->code())) return;
      kind = kSystem;
      detail = packed([&](Writer& out) { pack_code(system->code(), out); });
    } else {
      kind = known_kind(exception);
    }
  } catch (...) {  // no std::exception: its text says so
  }
}

void Failure::restore(std::uint8_t kind, const std::string& text, const std::string& detail) {
  if (kind == kListed) {
    error_ = unpack_listed(text, detail);
  } else if (kind == kSystem) {
    Reader in = reader_of(detail, 0);
    error_ = unpack_code(text, in);
  } else {
    error_ = make_known(kind, text);
  }
}

}  // namespace kaon::runtime
