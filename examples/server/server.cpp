// SPDX-License-Identifier: Apache-2.0
// A store of keys and values that clients reach by TCP: `set KEY VALUE [MS]`, of which the last says how long it is
// kept, and `get KEY`, a line each. Threads read the sockets and post what they read; chares on all PEs of all
// processes hold the values. The clients are threads of this program, too.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "examples/server/line_socket.hpp"

namespace server {

/// The part of the store that some of the keys fall to.
class Shard : public kaon::Chare<Shard> {
 public:
  void set(const std::string& key, const std::string& value, int kept_ms) {
    values_[key] = {value, ++changes_};
    if (kept_ms > 0) self().send<&Shard::expire>(key, changes_, kept_ms);
  }
  std::string get(const std::string& key) const {
    const auto at = values_.find(key);
    return at == values_.end() ? "none" : at->second.text;
  }
  /// Unless it has been set again by then.
  kaon::Task<> expire(std::string key, int change, int kept_ms) {
    co_await kaon::this_runtime().sleep_for(std::chrono::milliseconds(kept_ms));
    if (const auto at = values_.find(key); at != values_.end() && at->second.change == change) values_.erase(at);
  }
  int size() const { return static_cast<int>(values_.size()); }

 private:
  struct Value {
    std::string text;
    int change;
  };
  std::map<std::string, Value> values_;
  int changes_ = 0;
};

kaon::Task<std::string> answer(kaon::Proxy<Shard> store, std::string line) {
  std::string what, key, value;
  int kept_ms = 0;
  std::istringstream(line) >> what >> key >> value >> kept_ms;
  const auto shards = static_cast<std::size_t>(store.shape().x);
  const kaon::Element<Shard> shard = store[static_cast<int>(std::hash<std::string>{}(key) % shards)];
  if (what == "get") co_return co_await shard.call<&Shard::get>(key);
  if (what != "set") co_return "what?";
  co_await shard.call<&Shard::set>(key, value, kept_ms);
  co_return "done";
}

/// A thread that accepts clients, and one for each of them.
class Server {
 public:
  Server(kaon::Outside outside, const kaon::Proxy<Shard>& store)
      : outside_(std::move(outside)), store_(store), accepting_([this] { accept(); }) {}
  std::uint16_t port() const { return listening_.port(); }
  /// When all clients have gone.
  void stop() {
    listening_.end();
    accepting_.join();
    for (std::thread& thread : serving_) thread.join();
  }

 private:
  void accept() {
    while (auto client = listening_.accept_next())
      serving_.emplace_back([this, client = std::move(*client)]() mutable { serve(client); });
  }
  void serve(LineSocket& client) const {
    while (const auto line = client.read_line())
      client.write_line(outside_.call([store = store_, line = *line] { return answer(store, line); }).get());
  }

  kaon::Outside outside_;
  kaon::Proxy<Shard> store_;
  LineSocket listening_ = LineSocket::listening();
  std::vector<std::thread> serving_;
  std::thread accepting_;
};

struct Options {
  int clients = 6;
  int keys = 50;
  int kept_ms = 20;
};

std::string ask(LineSocket& server, const std::string& question) {
  server.write_line(question);
  return server.read_line().value_or("gone");
}

/// Sets keys, each second one for a while, and gets them back. Returns the number of wrong answers.
int be_client(std::uint16_t port, int number, const Options& options) {
  LineSocket server = LineSocket::connected(port);
  int wrong = 0;
  for (int i = 0; i < options.keys; ++i) {
    const std::string key = "key" + std::to_string(number) + "." + std::to_string(i), value = std::to_string(7 * i);
    const bool stays = i % 2 == 0;
    wrong += ask(server, "set " + key + " " + value + (stays ? "" : " " + std::to_string(options.kept_ms))) != "done";
    const std::string got = ask(server, "get " + key);
    wrong += got != value && (stays || got != "none");
  }
  return wrong;
}

int be_clients(std::uint16_t port, const Options& options) {
  std::vector<std::future<int>> clients;
  for (int number = 0; number < options.clients; ++number)
    clients.push_back(std::async(std::launch::async, be_client, port, number, options));
  int wrong = 0;
  for (auto& client : clients) wrong += client.get();
  return wrong;
}

kaon::Task<int> serve(kaon::Runtime& runtime, Options options) {
  const auto store = co_await runtime.create<Shard>(4 * static_cast<int>(runtime.pes()));
  Server server(runtime.outside(), store);
  const int wrong = co_await kaon::on_helper_thread([&server, options] {
    const int wrong = be_clients(server.port(), options);
    server.stop();
    return wrong;
  });
  co_await runtime.quiescence();  // also of the timers
  const int left = co_await store.call_all<&Shard::size>(kaon::sum);
  const int expected = options.clients * ((options.keys + 1) / 2);
  std::printf("%d clients had %d answers, %d of them wrong; %d values are left, and should be %d\n", options.clients,
              2 * options.clients * options.keys, wrong, left, expected);
  co_return wrong == 0 && left == expected ? 0 : 1;
}

kaon::Task<int> server_main(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  CLI::App app("Serves keys and values by TCP to clients that are threads of the same program.");
  app.add_option("--clients", options.clients, "threads that ask")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--keys", options.keys, "that each sets")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("--kept-ms", options.kept_ms, "of each second value")
      ->check(CLI::Range(1, 9999))
      ->capture_default_str();
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  co_return co_await serve(runtime, options);
}

}  // namespace server

int main(int argc, char** argv) { return kaon::run(argc, argv, server::server_main); }
