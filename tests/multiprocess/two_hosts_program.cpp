// SPDX-License-Identifier: Apache-2.0
// Two processes on two hosts, which are namespaces of this one with a wire between them. They send each other messages
// until something comes from standard input. Needs root.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include <kaon/kaon.hpp>

namespace two_hosts {

constexpr const char* kInterface = "kaon0";
constexpr unsigned kMostSeconds = 50;                // to live
constexpr std::size_t kMost = std::size_t{1} << 16;  // bytes that a process gives the other at once

// What the processes have in common: memory that was there before they were.
struct Meeting {
  pthread_barrier_t of_processes;
  pthread_barrier_t with_parent;
  std::atomic<int> entered = 0;
  std::byte given[2][kMost];
};

Meeting& make_meeting() {
  void* memory = mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& meeting = *new (memory) Meeting;
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&meeting.of_processes, &attributes, 2);
  pthread_barrier_init(&meeting.with_parent, &attributes, 3);
  return meeting;
}

kaon::Peers peers_of(Meeting& meeting, int process) {
  kaon::Peers peers;
  peers.process = process;
  peers.processes = 2;
  peers.gather = [&meeting, process](const void* own, void* all, std::size_t bytes) {
    if (bytes > kMost) std::abort();
    std::memcpy(meeting.given[process], own, bytes);
    pthread_barrier_wait(&meeting.of_processes);
    for (std::size_t i = 0; i < 2; ++i) std::memcpy(static_cast<std::byte*>(all) + i * bytes, meeting.given[i], bytes);
    pthread_barrier_wait(&meeting.of_processes);
  };
  peers.enter_barrier = [&meeting] { ++meeting.entered; };
  peers.is_barrier_over = [&meeting] { return meeting.entered >= 2; };
  return peers;
}

class Node : public kaon::Chare<Node> {
 public:
  void say_ready() {
    std::printf("ready %d pid %d\n", kaon::this_runtime().process(), static_cast<int>(getpid()));
    std::fflush(stdout);
  }
  int answer(int question) const { return question + 1; }
};

std::atomic<bool> is_over = false;

kaon::Task<int> talk(kaon::Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<Node>();
  int wrong = 0, rounds = 0;
  for (int pe = 0; pe < 2; ++pe) co_await nodes[pe].call<&Node::say_ready>();
  do {
    wrong += co_await nodes[1].call<&Node::answer>(rounds) != rounds + 1;
    ++rounds;
  } while (!is_over);
  std::printf("answers of another host: %s\n", wrong == 0 ? "right" : "wrong");
  co_return wrong;
}

void run(const std::string& command) {
  if (std::system(command.c_str()) != 0) std::exit(77);
}

void become_host() {
  if (unshare(CLONE_NEWNET | CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0) std::exit(77);
  run("mount -t sysfs sysfs /sys && mount -t tmpfs tmpfs /dev/shm && ip link set lo up");
}

void join_hosts(const pid_t (&hosts)[2]) {
  const std::string name = kInterface, first = std::to_string(hosts[0]), second = std::to_string(hosts[1]);
  run("ip link add " + name + " netns " + first + " type veth peer name " + name + " netns " + second);
  for (int i = 0; i < 2; ++i) {
    const std::string there = "nsenter -t " + std::to_string(hosts[i]) + " -n ip ";
    run(there + "address add 10.99.9." + std::to_string(i + 1) + "/24 dev " + name);
    run(there + "link set " + name + " up");
  }
}

// Which the system says a moment after it is.
void wait_for_carrier() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (std::string state; state != "up" && std::chrono::steady_clock::now() < until;)
    std::ifstream(std::string("/sys/class/net/") + kInterface + "/operstate") >> state;
}

int be_process(Meeting& meeting, int process) {
  alarm(kMostSeconds);
  become_host();
  pthread_barrier_wait(&meeting.with_parent);
  pthread_barrier_wait(&meeting.with_parent);  // the wire is there
  wait_for_carrier();
  setenv("KAON_INTERFACE", kInterface, 1);
  setenv("KAON_PES", "1", 1);
  if (process == 0) std::thread([] { is_over = std::getchar() != EOF; }).detach();
  kaon::Session session(peers_of(meeting, process));
  return session.run_once(talk);
}

}  // namespace two_hosts

int main() {
  using namespace two_hosts;
  alarm(kMostSeconds);
  Meeting& meeting = make_meeting();
  pid_t hosts[2];
  for (int process = 0; process < 2; ++process)
    if ((hosts[process] = fork()) == 0) return be_process(meeting, process);
  pthread_barrier_wait(&meeting.with_parent);
  join_hosts(hosts);
  pthread_barrier_wait(&meeting.with_parent);
  int worst = 0;
  for (int ended = 0; ended < 2; ++ended) {
    int status = 0;
    waitpid(-1, &status, 0);
    worst = std::max(worst, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    if (worst != 0)  // the other may wait for this one
      for (const pid_t host : hosts) kill(host, SIGKILL);
  }
  return worst;
}
