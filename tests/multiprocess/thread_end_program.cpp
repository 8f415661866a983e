// SPDX-License-Identifier: Apache-2.0
// A run in whose last process threads cannot be started: `living N`, beyond N at a time; `made N`, the N-th and all
// behind it.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

namespace thread_end {

std::atomic<long> left{LONG_MAX};  // threads that can be started; relaxed: it orders nothing
bool are_living_counted = false;   // written before there is a thread

struct Start {
  void* (*run)(void*);
  void* argument;
};

void* run_counted(void* start) {
  const std::unique_ptr<Start> own(static_cast<Start*>(start));
  void* const result = own->run(own->argument);
  left.fetch_add(1, std::memory_order_relaxed);
  return result;
}

using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

/// The C library's, or a sanitizer's in front of it.
Create creation() {
  void* const sanitizers = dlsym(RTLD_DEFAULT, "__interceptor_pthread_create");
  return reinterpret_cast<Create>(sanitizers != nullptr ? sanitizers : dlsym(RTLD_NEXT, "pthread_create"));
}

bool is_last_process() {
  const char* const processes = std::getenv("KAON_PROCESSES");
  return processes == nullptr || std::atoi(std::getenv("KAON_PROCESS")) == std::atoi(processes) - 1;
}

class Node : public kaon::Chare<Node> {
 public:
  kaon::Task<int> ask_helper() {
    co_return co_await kaon::on_helper_thread([] { return 1; });
  }
};

kaon::Task<int> run(kaon::Runtime& runtime, const std::vector<std::string>&) {
  const auto nodes = co_await runtime.create_group<Node>();
  const int answers = co_await nodes.call_all<&Node::ask_helper>(kaon::sum);
  std::printf("%d answers\n", answers);
  co_return answers == static_cast<int>(runtime.pes()) ? 0 : 1;
}

}  // namespace thread_end

// Every pthread_create of the process comes here, also those of libraries, as symbols of the executable come first.
extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*run)(void*), void* argument) noexcept {
  if (thread_end::left.fetch_sub(1, std::memory_order_relaxed) <= 0) {
    thread_end::left.fetch_add(1, std::memory_order_relaxed);
    return EAGAIN;
  }
  static const thread_end::Create create = thread_end::creation();
  if (!thread_end::are_living_counted) return create(thread, attributes, run, argument);
  return create(thread, attributes, thread_end::run_counted, new thread_end::Start{run, argument});
}

int main(int argc, char** argv) {
  thread_end::are_living_counted = argc > 2 && std::string(argv[1]) == "living";
  if (argc > 2 && thread_end::is_last_process()) thread_end::left = std::atol(argv[2]);
  return kaon::run(argc, argv, thread_end::run);
}
