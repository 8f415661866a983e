// expect: on_helper_thread(f): f is a coroutine, which runs on PEs
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

kaon::Task<> use() {
  co_await kaon::on_helper_thread([]() -> kaon::Task<> { co_return; });
}
