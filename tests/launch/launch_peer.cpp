// SPDX-License-Identifier: Apache-2.0
// A process of a run that behaves as its argument says. The tests start it with kaonrun.
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

namespace {

using kaon::runtime::Bootstrap;

constexpr int kOddOne = 1;  // the process that does not do what the others do

int own_number() { return std::atoi(std::getenv("KAON_PROCESS")); }

// More than a socket takes at once.
std::vector<std::byte> contact_of(int process) {
  const std::string text = "contact of " + std::to_string(process) + std::string(1'000'000, '.');
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

[[noreturn]] void wait_for_ever() {
  // Not pause(): with ThreadSanitizer a signal that comes just before it is handled only after it.
  for (;;) poll(nullptr, 0, 100);
}

std::unique_ptr<Bootstrap> join() {
  auto bootstrap = kaon::runtime::make_bootstrap();
  bootstrap->put(4711, contact_of(bootstrap->seat().process));
  bootstrap->fence();
  return bootstrap;
}

void say_ready(const Bootstrap& bootstrap) {
  std::printf("ready %d pid %d\n", bootstrap.seat().process, static_cast<int>(getpid()));
  std::fflush(stdout);
}

int leave(Bootstrap& bootstrap) {
  bootstrap.arrive();
  while (!bootstrap.is_released()) sched_yield();
  return 0;
}

int exchange() {
  const auto bootstrap = join();
  for (int other = 0; other < bootstrap->seat().processes; ++other)
    if (bootstrap->get(other) != contact_of(other)) bootstrap->abort(9, "wrong contact data");
  return leave(*bootstrap);
}

int hold() {
  const auto bootstrap = join();
  say_ready(*bootstrap);
  wait_for_ever();
}

int change_group() {
  setpgid(0, getpgid(getppid()));
  return hold();
}

// Nothing of it is progressing, yet it lives.
int compute() {
  const auto bootstrap = join();
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(2500);
  while (std::chrono::steady_clock::now() < until) {
  }
  return leave(*bootstrap);
}

int absent() {
  if (own_number() == kOddOne) wait_for_ever();
  join();
  return 0;
}

int impatient() {
  if (own_number() == kOddOne) wait_for_ever();
  const auto bootstrap = kaon::runtime::make_bootstrap();
  bootstrap->put(4711, {});
  try {
    bootstrap->fence(std::chrono::milliseconds(100));
  } catch (const std::exception& error) {
    bootstrap->abort(kaon::runtime::exit_code(error), error.what());
  }
  return 0;
}

int differ() {
  const auto bootstrap = kaon::runtime::make_bootstrap();
  bootstrap->put(bootstrap->seat().process == kOddOne ? 1 : 2, {});
  bootstrap->fence();
  return leave(*bootstrap);
}

int give_up() {
  const auto bootstrap = join();
  if (bootstrap->seat().process == kOddOne) bootstrap->abort(5, "the disk is full");
  wait_for_ever();
}

int give_up_all() {
  const auto bootstrap = join();
  bootstrap->abort(5, "the input is bad");
  return 0;  // g++ does not see [[noreturn]] through a virtual call
}

int leave_early() {
  const auto bootstrap = join();
  if (bootstrap->seat().process == kOddOne) return 0;
  wait_for_ever();
}

int never_join() {
  if (own_number() == kOddOne) return 0;
  join();
  wait_for_ever();
}

int babble() {
  const int socket = std::atoi(std::getenv("KAON_BOOTSTRAP_FD"));
  if (own_number() == kOddOne) send(socket, "GET / HTTP/1.1\r\n\r\n", 18, 0);
  join();
  wait_for_ever();
}

int join_twice() {
  const auto first = join();
  kaon::runtime::make_bootstrap();
  return 0;
}

// The secret is the same in all, in the environment and on the command line of none.
int share_secret() {
  const auto bootstrap = kaon::runtime::make_bootstrap();
  const auto& secret = bootstrap->secret();
  if (secret == kaon::runtime::Secret{}) bootstrap->abort(9, "there is none");
  bootstrap->put(4711, {secret.begin(), secret.end()});
  bootstrap->fence();
  for (int other = 0; other < bootstrap->seat().processes; ++other)
    if (!std::ranges::equal(bootstrap->get(other), secret)) bootstrap->abort(9, "two processes, two secrets");
  for (const char* place : {"/proc/self/environ", "/proc/self/cmdline"}) {
    std::ifstream file(place, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::string_view bytes(reinterpret_cast<const char*>(secret.data()), secret.size());
    if (text.empty() || text.find(bytes) != std::string::npos) bootstrap->abort(9, "the secret is told");
  }
  return leave(*bootstrap);
}

// Prints what the library holds back as long as standard output is a pipe.
void print_a_line(const Bootstrap& bootstrap) { std::printf("printed by %d\n", bootstrap.seat().process); }

bool is_gone(pid_t pid) { return kill(pid, 0) != 0; }

// Process 0 ends with a code; the others print when it is gone.
int end_in_turn() {
  const auto bootstrap = kaon::runtime::make_bootstrap();
  const pid_t own = getpid();
  const auto bytes = std::as_bytes(std::span(&own, 1));
  bootstrap->put(4711, {bytes.begin(), bytes.end()});
  bootstrap->fence();
  pid_t first = 0;
  std::memcpy(&first, bootstrap->get(0).data(), sizeof first);
  leave(*bootstrap);
  while (bootstrap->seat().process != 0 && !is_gone(first)) sched_yield();
  print_a_line(*bootstrap);
  return 9;
}

int print_and_give_up() {
  const auto bootstrap = kaon::runtime::make_bootstrap();
  print_a_line(*bootstrap);
  bootstrap->put(4711, {});
  bootstrap->fence();
  if (bootstrap->seat().process == bootstrap->seat().processes - 1) bootstrap->abort(5, "the disk is full");
  wait_for_ever();
}

int print_and_hold() {
  const auto bootstrap = kaon::runtime::make_bootstrap();
  say_ready(*bootstrap);
  print_a_line(*bootstrap);
  bootstrap->put(4711, {});
  bootstrap->fence();
  std::fprintf(stderr, "printed\n");
  wait_for_ever();
}

void write_text(std::string_view text) {
  if (write(STDOUT_FILENO, text.data(), text.size()) < 0) std::abort();
}

// The odd one begins a line before all others have written theirs, and ends it after them.
int write_halves() {
  const auto bootstrap = kaon::runtime::make_bootstrap();
  const bool is_odd = bootstrap->seat().process == kOddOne;
  if (is_odd) write_text("one half, ");
  bootstrap->put(4711, {});
  bootstrap->fence();
  if (!is_odd) write_text("a whole line\n");
  leave(*bootstrap);
  if (is_odd) write_text("the other half\n");
  return 0;
}

int write_half_and_hold() {
  const auto bootstrap = join();
  say_ready(*bootstrap);
  write_text("a line without an end of " + std::to_string(bootstrap->seat().process));
  std::fprintf(stderr, "\nprinted\n");
  wait_for_ever();
}

int write_for_ever() {
  const auto bootstrap = join();
  for (;;) write_text("a whole line\n");
}

int answer_user_signal() {
  std::signal(SIGUSR1, [](int) { write_text("answered\n"); });
  return hold();
}

// Its output cannot be written out, as a thread that never ends holds the stream.
int hold_output() {
  const auto bootstrap = join();
  if (bootstrap->seat().process == kOddOne) bootstrap->abort(5, "the disk is full");
  flockfile(stdout);
  wait_for_ever();
}

int run(const std::string& behaviour) {
  static const std::map<std::string, int (*)()> kBehaviours = {{"exchange", exchange},
                                                               {"hold", hold},
                                                               {"change_group", change_group},
                                                               {"compute", compute},
                                                               {"absent", absent},
                                                               {"impatient", impatient},
                                                               {"differ", differ},
                                                               {"give_up", give_up},
                                                               {"leave_early", leave_early},
                                                               {"never_join", never_join},
                                                               {"babble", babble},
                                                               {"join_twice", join_twice},
                                                               {"give_up_all", give_up_all},
                                                               {"share_secret", share_secret},
                                                               {"end_in_turn", end_in_turn},
                                                               {"print_and_give_up", print_and_give_up},
                                                               {"print_and_hold", print_and_hold},
                                                               {"hold_output", hold_output},
                                                               {"write_halves", write_halves},
                                                               {"write_half_and_hold", write_half_and_hold},
                                                               {"write_for_ever", write_for_ever},
                                                               {"answer_user_signal", answer_user_signal}};
  return kBehaviours.at(behaviour)();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "exchange");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "launch_peer: %s\n", error.what());
    return kaon::runtime::exit_code(error);
  }
}
