// SPDX-License-Identifier: Apache-2.0
// processes: 1 2
// Callbacks, futures, completion and types of exceptions between real processes, whose code lies at other addresses.
#include <cstdio>
#include <stdexcept>
#include <string>

#include <kaon/kaon.hpp>

namespace callbacks_between {

struct TooHot : std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline const kaon::ExceptionType<TooHot> too_hot;

int told = 0;  // of this process; with one PE each
void note(int value) { told += value; }

class Node : public kaon::Chare<Node> {
 public:
  void ask(int value, kaon::Callback<int> then) { then(value + index().x); }
  void add(int value) { sum_ += value; }
  int sum() const { return sum_; }
  int process_told() const { return told; }
  void fail() { throw TooHot("element " + std::to_string(index().x)); }
  void work(kaon::Completion group) {
    const int count = array().shape().x;
    group.produce(static_cast<std::uint64_t>(count));
    for (int i = 0; i < count; ++i) array()[i].send<&Node::take>(group);
    group.done();
  }
  void take(kaon::Completion group) {
    ++sum_;
    group.consume();
  }

 private:
  int sum_ = 0;
};

kaon::Task<bool> futures(kaon::Runtime& runtime, kaon::Group<Node> nodes) {
  for (int round = 0; round < 100; ++round) {
    for (int to = 0; to < static_cast<int>(runtime.pes()); ++to) {
      const kaon::Future<int> answer = runtime.future<int>();
      nodes[to].send<&Node::ask>(round, answer.callback());
      if (co_await answer != round + to) co_return false;
    }
  }
  co_return true;
}

kaon::Task<bool> callbacks(kaon::Runtime& runtime, kaon::Group<Node> nodes) {
  const int pes = static_cast<int>(runtime.pes()), last = pes - 1;
  nodes[last].send<&Node::ask>(1, kaon::callback<&Node::add>(nodes[0]));
  nodes[0].send<&Node::ask>(5, kaon::callback<&Node::add>(nodes));
  nodes[last].send<&Node::ask>(2, kaon::callback<&note>(static_cast<kaon::PeId>(last)));
  co_await runtime.quiescence();
  const int sum = co_await nodes.call_all<&Node::sum>(kaon::sum);
  const int noted = co_await nodes[last].call<&Node::process_told>();
  co_return sum == 1 + last + 5 * pes&& noted == 2 + last;
}

kaon::Task<bool> completion(kaon::Runtime& runtime, kaon::Group<Node> nodes) {
  const int before = co_await nodes.call_all<&Node::sum>(kaon::sum);
  const auto group = co_await kaon::Completion::start(runtime, runtime.pes());
  nodes.broadcast<&Node::work>(group);
  co_await group.finished();
  const int after = co_await nodes.call_all<&Node::sum>(kaon::sum);
  co_return after - before == static_cast<int>(runtime.pes() * runtime.pes());
}

kaon::Task<bool> exceptions(kaon::Runtime& runtime, kaon::Group<Node> nodes) {
  const int last = static_cast<int>(runtime.pes()) - 1;
  std::string text;
  try {
    co_await nodes[last].call<&Node::fail>();
  } catch (const TooHot& error) {
    text = error.what();
  }
  co_return text == "element " + std::to_string(last);
}

int say(const char* what, bool is_right) {
  if (!is_right) std::printf("wrong: %s\n", what);
  return is_right ? 0 : 1;
}

kaon::Task<int> run_all(kaon::Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<Node>();
  int wrong = say("futures", co_await futures(runtime, nodes));
  wrong += say("callbacks", co_await callbacks(runtime, nodes));
  wrong += say("completion", co_await completion(runtime, nodes));
  wrong += say("exceptions", co_await exceptions(runtime, nodes));
  co_return wrong;
}

}  // namespace callbacks_between

int main(int argc, char** argv) { return kaon::run(argc, argv, callbacks_between::run_all); }
