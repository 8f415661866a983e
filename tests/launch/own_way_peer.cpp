// SPDX-License-Identifier: Apache-2.0
// A process of a run that goes its own way when it has joined, as its argument says. The tests start it with kaonrun.
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

namespace {

using kaon::runtime::Bootstrap;

std::unique_ptr<Bootstrap> join() {
  auto bootstrap = kaon::runtime::make_bootstrap();
  bootstrap->put(4711, {});
  bootstrap->fence();
  return bootstrap;
}

void say_ready(int process) {
  std::printf("ready %d pid %d\n", process, static_cast<int>(getpid()));
  std::fflush(stdout);
}

[[noreturn]] void wait_for_ever() {
  for (;;) poll(nullptr, 0, 100);
}

// A user's signal ends process 0, which has left the run and lives until it gets a line; the last, which has not left,
// answers it. The others end.
int leave_and_live() {
  auto bootstrap = join();
  const int process = bootstrap->seat().process;
  const bool is_last = process == bootstrap->seat().processes - 1;
  if (is_last)
    std::signal(SIGUSR1, [](int) { _exit(write(STDOUT_FILENO, "answered\n", 9) == 9 ? 0 : 1); });
  else
    std::signal(SIGUSR1, SIG_DFL);
  bootstrap->arrive();
  while (!bootstrap->is_released()) poll(nullptr, 0, 1);
  if (!is_last) bootstrap.reset();
  say_ready(process);
  if (is_last) wait_for_ever();
  return process == 0 && std::getchar() == EOF ? 1 : 0;
}

// What a program that it starts finds of the way to kaonrun.
int start_another() {
  const auto bootstrap = join();
  const int result =
      std::system("echo \"the way: ${KAON_BOOTSTRAP_FD-none}, sockets: $(ls -l /proc/self/fd | grep -c socket:)\"");
  bootstrap->arrive();
  while (!bootstrap->is_released()) poll(nullptr, 0, 1);
  return result == -1 ? 1 : 0;
}

// Another of Kaon's, which would be in its place.
int start_kaon() {
  const auto bootstrap = join();
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const int result = std::system((self + " meet").c_str());
  bootstrap->arrive();
  while (!bootstrap->is_released()) poll(nullptr, 0, 1);
  return WEXITSTATUS(result);
}

int leave(Bootstrap& bootstrap, bool is_well) {
  bootstrap.arrive();
  while (!bootstrap.is_released()) poll(nullptr, 0, 1);
  return is_well ? 0 : 1;
}

int meet() { return leave(*join(), true); }

int know_user_signal() {
  const auto bootstrap = join();
  return leave(*bootstrap, std::signal(SIGUSR1, SIG_DFL) == SIG_IGN);
}

// Started without standard streams.
int have_streams() {
  const auto bootstrap = join();
  bool is_well = true;
  for (const char* stream : {"/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2"})
    is_well = is_well && std::filesystem::read_symlink(stream) == "/dev/null";
  return leave(*bootstrap, is_well);
}

int wait_for_line() {
  const auto bootstrap = join();
  say_ready(bootstrap->seat().process);
  return std::getchar() == EOF ? 1 : 0;
}

int outlive_run() {
  join().reset();
  say_ready(0);
  wait_for_ever();
}

// Prints in its second run what the library holds back as long as standard output is a pipe.
int print_in_second_run() {
  join().reset();
  const auto bootstrap = join();
  std::printf("printed by %d\n", bootstrap->seat().process);
  std::fprintf(stderr, "printed\n");
  wait_for_ever();
}

int run(const std::string& behaviour) {
  static const std::map<std::string, int (*)()> kBehaviours = {{"meet", meet},
                                                               {"know_user_signal", know_user_signal},
                                                               {"have_streams", have_streams},
                                                               {"start_kaon", start_kaon},
                                                               {"leave_and_live", leave_and_live},
                                                               {"start_another", start_another},
                                                               {"wait_for_line", wait_for_line},
                                                               {"outlive_run", outlive_run},
                                                               {"print_in_second_run", print_in_second_run}};
  return kBehaviours.at(behaviour)();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "meet");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "own_way_peer: %s\n", error.what());
    return kaon::runtime::exit_code(error);
  }
}
