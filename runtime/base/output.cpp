// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <future>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "kaon/runtime/base/last_words.hpp"

namespace kaon::runtime {
namespace {

// What was printed comes first: a stream of which a thread is reading stops the last call.
void flush_all() {
  std::cout.flush();
  std::fflush(stdout);
  std::fflush(stderr);
  std::fflush(nullptr);
}

}  // namespace

bool flush_output(std::chrono::milliseconds limit) {
  try {
    std::promise<void> done;
    const std::future<void> is_done = done.get_future();
    std::thread([done = std::move(done)]() mutable {
      flush_all();
      done.set_value();
    }).detach();
    return is_done.wait_for(limit) == std::future_status::ready;
  } catch (const std::exception&) {  // no more threads, or memory: what is not taken at once is lost
    flush_without_waiting();
    return false;
  }
}

void finish_output() {
  errno = 0;
  const bool is_written = std::fflush(stdout) == 0 && std::cout.flush() && std::ferror(stdout) == 0;
  if (is_written) return;
  const int error = errno;  // 0: it happened earlier
  throw std::runtime_error("some of the standard output could not be written" +
                           (error != 0 ? ": " + std::string(std::strerror(error)) : std::string()));
}

}  // namespace kaon::runtime
