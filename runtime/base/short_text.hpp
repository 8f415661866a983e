// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <charconv>
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
  ShortText& operator<<(std::string_view text) {
    const std::size_t bytes = std::min(text.size(), text_.size() - size_);
    std::copy_n(text.data(), bytes, text_.data() + size_);
    size_ += bytes;
    return *this;
  }
  template <std::integral Number>
  ShortText& operator<<(Number number) {
    return in_base(number, 10);
  }
  template <std::integral Number>
  ShortText& in_base(Number number, int base) {
    const auto end = std::to_chars(text_.data() + size_, text_.data() + text_.size(), number, base);
    if (end.ec == std::errc()) size_ = static_cast<std::size_t>(end.ptr - text_.data());
    return *this;
  }

  bool empty() const { return size_ == 0; }
  std::string_view view() const { return {text_.data(), size_}; }
  std::string str() const { return std::string(view()); }

 private:
  std::array<char, 2048> text_;  // names of entries of templates are long
  std::size_t size_ = 0;
};

}  // namespace kaon::runtime
