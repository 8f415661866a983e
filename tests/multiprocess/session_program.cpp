// SPDX-License-Identifier: Apache-2.0
// A program with a session of its own, told what to do by its first argument. Says what it has seen.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include <kaon/kaon.hpp>

namespace kaon::sessions {

class Node : public Chare<Node> {
 public:
  void add(int value) { total_ += value; }
  int total() const { return total_; }
  void fail() { throw std::domain_error("a node fails"); }

 private:
  int total_ = 0;
};

Proxy<Node> nodes;  // known to process 0 alone

Task<int> make_nodes(Runtime& runtime) {
  nodes = co_await runtime.create<Node>(16);
  co_return static_cast<int>(runtime.pes());
}

Task<int> add_one(Runtime& runtime) {
  for (int i = 0; i < 16; ++i) nodes[i].send<&Node::add>(1);
  co_await runtime.quiescence();
  co_return co_await nodes.call_all<&Node::total>(sum);
}

Task<int> call_failing(Runtime&) {
  co_await nodes[15].call<&Node::fail>();
  co_return 0;
}

Task<int> send_failing(Runtime& runtime) {
  nodes[15].send<&Node::fail>();
  co_await runtime.quiescence();
  co_return 0;
}

/// All processes call run().
void run_together(Session& session) {
  int total = session.run(make_nodes);
  for (int round = 0; round < 100; ++round) total = session.run(add_one);
  session.stop();
  std::printf("process %d: total %d\n", session.process(), total);
}

/// Process 0 runs, the others serve.
void run_and_serve(Session& session) {
  int total = 0;
  if (session.process() != 0) {
    total = session.serve();
  } else {
    session.run(make_nodes);
    for (int round = 0; round < 3; ++round) total = session.run(add_one);
    session.stop();
  }
  std::printf("process %d: total %d\n", session.process(), total);
}

/// Process 0 runs more often than the others, which are at the end of their sessions meanwhile.
void run_unequally(Session& session) {
  session.run(make_nodes);
  if (session.process() != 0) return;
  session.run(add_one);
  std::printf("process 0: total %d\n", session.run(add_one));
}

void catch_and_go_on(Session& session) {
  session.run(make_nodes);
  try {
    session.run(call_failing);
  } catch (const std::exception& error) {
    std::printf("process %d caught: %s\n", session.process(), error.what());
  }
  std::printf("process %d: total %d\n", session.process(), session.run(add_one));
}

void leave_by_exception(Session& session) {
  session.run(make_nodes);
  if (session.process() == 0) throw std::domain_error("process 0 has enough");
  session.run(add_one);
}

Task<int> fail_in_main(Runtime&) {
  throw std::domain_error("no such table");
  co_return 0;
}

void fail_in_the_main_task(Session& session) {
  if (session.process() == 0) session.run(fail_in_main);
  session.serve();
}

void fail_in_an_entry(Session& session) {
  session.run(make_nodes);
  session.run(send_failing);
}

void make_another(Session& session) {
  session.run(make_nodes);
  session.stop();
}

int act(const std::string& what) {
  {
    Session session;
    if (what == "together") run_together(session);
    if (what == "serve") run_and_serve(session);
    if (what == "unequal") run_unequally(session);
    if (what == "catch") catch_and_go_on(session);
    if (what == "throw") leave_by_exception(session);
    if (what == "throw-in-main") fail_in_the_main_task(session);
    if (what == "entry") fail_in_an_entry(session);
    if (what == "again") make_another(session);
  }
  if (what == "again") const Session second;
  return 0;
}

}  // namespace kaon::sessions

int main(int argc, char** argv) {
  try {
    return kaon::sessions::act(argc > 1 ? argv[1] : "");
  } catch (const std::exception& error) {
    std::printf("main caught: %s\n", error.what());
    return 9;
  }
}
