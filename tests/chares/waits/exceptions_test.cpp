// SPDX-License-Identifier: Apache-2.0
// Exceptions that leave an entry keep their type and text where its result is awaited, in whatever process that is.
#include <cerrno>
#include <functional>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <variant>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::exceptions {

/// Listed, and made of its text.
struct TooHot : std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline const ExceptionType<TooHot> too_hot;

/// Listed, with more than its text.
class NoSuchCell : public std::exception {
 public:
  NoSuchCell() = default;
  explicit NoSuchCell(int cell) : cell_(cell), text_("there is no cell " + std::to_string(cell)) {}
  int cell() const { return cell_; }
  const char* what() const noexcept override { return text_.c_str(); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(cell_, text_);
  }

 private:
  int cell_ = 0;
  std::string text_;
};
inline const ExceptionType<NoSuchCell> no_such_cell;

/// Not listed.
struct Odd : std::out_of_range {
  using std::out_of_range::out_of_range;
};
struct Quiet : std::exception {
  const char* what() const noexcept override { return "quiet"; }
};

template <class E>
void check_caught(const std::exception& error, const std::string& text) {
  INFO(error.what());
  CHECK(dynamic_cast<const E*>(&error) != nullptr);
  CHECK(error.what() == text);
}

template <class E>
void throw_text() {
  throw E("text");
}
template <class E>
void is_text(const std::exception& error) {
  check_caught<E>(error, "text");
}
template <class E>
void throw_plain() {
  throw E();
}
template <class E>
void is_plain(const std::exception& error) {
  check_caught<E>(error, E().what());
}
template <int Number, const std::error_category& (*Category)() noexcept>
void throw_code() {
  throw std::system_error(Number, Category(), "writing");
}
template <int Number, const std::error_category& (*Category)() noexcept>
void is_code(const std::exception& error) {
  check_caught<std::system_error>(error, std::system_error(Number, Category(), "writing").what());
  CHECK(dynamic_cast<const std::system_error&>(error).code() == std::error_code(Number, Category()));
}
void throw_cell() { throw NoSuchCell(17); }
void is_cell(const std::exception& error) {
  check_caught<NoSuchCell>(error, "there is no cell 17");
  CHECK(dynamic_cast<const NoSuchCell&>(error).cell() == 17);
}

struct Case {
  void (*fail)();
  void (*check)(const std::exception& error);
};
template <class E>
constexpr Case kText{&throw_text<E>, &is_text<E>};
template <class E>
constexpr Case kPlain{&throw_plain<E>, &is_plain<E>};

constexpr Case kCases[] = {
    kText<UsageError>,
    kText<OutOfMemory>,
    kText<runtime::Deadlock>,
    kText<std::invalid_argument>,
    kText<std::domain_error>,
    kText<std::length_error>,
    kText<std::out_of_range>,
    kText<std::logic_error>,
    kText<std::range_error>,
    kText<std::overflow_error>,
    kText<std::underflow_error>,
    kText<std::runtime_error>,
    kPlain<std::bad_alloc>,
    kPlain<std::bad_optional_access>,
    kPlain<std::bad_variant_access>,
    kPlain<std::bad_function_call>,
    kPlain<std::bad_cast>,
    {&throw_code<ENOSPC, std::system_category>, &is_code<ENOSPC, std::system_category>},
    {&throw_code<EINTR, std::generic_category>, &is_code<EINTR, std::generic_category>},
    kText<TooHot>,
    {&throw_cell, &is_cell},
    {&throw_text<Odd>, &is_text<std::out_of_range>},  // it is not listed
    {&throw_plain<Quiet>, [](const std::exception& error) { check_caught<std::exception>(error, "quiet"); }},
};
constexpr int kCount = static_cast<int>(std::size(kCases));

class Thrower : public Chare<Thrower> {
 public:
  int fail(int which) {
    kCases[which].fail();
    return 0;
  }
  Task<> fail_later(int which) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(2));
    kCases[which].fail();
  }
  /// Hands on what another throws.
  Task<int> ask(int which, int left) {
    const auto next = array()[(index().x + 1) % array().shape().x];
    if (left > 0) co_return co_await next.call<&Thrower::ask>(which, left - 1);
    co_return co_await next.call<&Thrower::fail>(which);
  }
};

template <class Start>
Task<> expect(int which, Start start) {
  bool is_caught = false;
  try {
    co_await start();
  } catch (const std::exception& error) {
    CAPTURE(which);
    is_caught = true;
    kCases[which].check(error);
  }
  CHECK(is_caught);
}

Task<> throw_everything(Runtime& runtime) {
  const auto all = co_await runtime.create<Thrower>(5);
  for (int which = 0; which < kCount; ++which) {
    for (const int at : {0, 4}) {
      co_await expect(which, [&] { return all[at].call<&Thrower::fail>(which); });
      co_await expect(which, [&] { return all[at].call<&Thrower::fail_later>(which); });
    }
    co_await expect(which, [&] { return all.call_all<&Thrower::fail>(sum, which); });
  }
}

Task<> throw_through_several(Runtime& runtime) {
  const auto all = co_await runtime.create<Thrower>(5);
  for (int which = 0; which < kCount; ++which)
    co_await expect(which, [&] { return all[0].call<&Thrower::ask>(which, 7); });
}

TEST_CASE("exceptions keep type and text on their way to who awaits", "[chares][call]") {
  run_everywhere(throw_everything);
}
TEST_CASE("exceptions keep type and text through several calls", "[chares][call]") {
  run_everywhere(throw_through_several);
}

}  // namespace kaon::testing::exceptions
