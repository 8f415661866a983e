// expect: name a function that captures more than plain values on the line before
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <kaon/kaon.hpp>

kaon::Task<std::size_t> use(std::string text) {
  co_return co_await kaon::on_helper_thread([text] { return text.size(); });
}
