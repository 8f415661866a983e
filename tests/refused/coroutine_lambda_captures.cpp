// expect: a coroutine lambda captures, and its captures end with the lambda
// SPDX-License-Identifier: Apache-2.0
// shows: give it parameters instead
#include <kaon/kaon.hpp>

kaon::Task<int> later(int number) {
  return [number]() -> kaon::Task<int> {
    co_await kaon::this_runtime().sleep_for(std::chrono::microseconds(1));
    co_return number;
  }();
}
