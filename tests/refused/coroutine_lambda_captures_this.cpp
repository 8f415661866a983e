// expect: a coroutine lambda captures, and its captures end with the lambda
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Counter : public kaon::Chare<Counter> {
 public:
  kaon::Task<> count() {
    const auto one = [this](auto more) -> kaon::Task<> {
      total_ += more;
      co_return;
    };
    co_await one(1);
  }

 private:
  int total_ = 0;
};
