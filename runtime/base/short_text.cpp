// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/short_text.hpp"

#include <algorithm>
#include <charconv>

namespace kaon::runtime {

ShortText& ShortText::operator<<(std::string_view text) {
  const std::size_t bytes = std::min(text.size(), text_.size() - size_);
  std::copy_n(text.data(), bytes, text_.data() + size_);
  size_ += bytes;
  return *this;
}

template <class Number>
void ShortText::put_number(Number number, int base) {
  const auto end = std::to_chars(text_.data() + size_, text_.data() + text_.size(), number, base);
  if (end.ec == std::errc()) size_ = static_cast<std::size_t>(end.ptr - text_.data());
}

void ShortText::put(long long number, int base) { put_number(number, base); }
void ShortText::put(unsigned long long number, int base) { put_number(number, base); }

}  // namespace kaon::runtime
