// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// A text of bounded length that takes no memory of the heap, so that a signal handler may make it; what does not fit
/// is left out.
class ShortText {
 public:
  ShortText& operator<<(std::string_view text);
  template <std::integral Number>
  ShortText& operator<<(Number number) {
    return in_base(number, 10);
  }
  template <std::integral Number>
  ShortText& in_base(Number number, int base) {
    if constexpr (std::signed_integral<Number>)
      put(static_cast<long long>(number), base);
    else
      put(static_cast<unsigned long long>(number), base);
    return *this;
  }

  bool empty() const { return size_ == 0; }
  std::string_view view() const { return {text_.data(), size_}; }
  std::string str() const { return std::string(view()); }

 private:
  void put(long long number, int base);
  void put(unsigned long long number, int base);
  template <class Number>
  void put_number(Number number, int base);

  std::array<char, 2048> text_;  // names of entries of templates are long
  std::size_t size_ = 0;
};

}  // namespace kaon::runtime
