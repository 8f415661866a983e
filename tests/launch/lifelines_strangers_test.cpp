// SPDX-License-Identifier: Apache-2.0
// What strangers do to the connections between processes of several hosts: see docs/security.md.
#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/launch/lifeline_ends.hpp"

namespace kaon::testing::lifelines {

TEST_CASE("a program that has taken the port of the process above is refused, and learns no secret",
          "[launch][lifelines][bad input]") {
  Losses losses;
  const auto below = make(1, 2, losses);
  const Listener stranger;
  std::array<std::byte, 64> heard{};
  std::jthread thread([&] {
    const Descriptor line = stranger.accept();
    const ssize_t count = recv(line.number(), heard.data(), heard.size(), 0);
    static_cast<void>(write(line.number(), heard.data(), static_cast<std::size_t>(count)));  // all that he can
  });
  CHECK_THROWS_WITH(below->hold(0, stranger.bytes()), contains_text("has not proved that it belongs to this run"));
  thread.join();
  CHECK(std::ranges::search(heard, kSecret).empty());
}

TEST_CASE("a process that was taken for one of too many strangers connects again", "[launch][lifelines]") {
  Losses losses;
  const auto held = make(1, 2, losses);
  const Listener above;
  Descriptor line;
  std::jthread process([&] {
    static_cast<void>(above.accept());
    line = above.accept_and_answer(kSecret);
  });
  held->hold(0, above.bytes());
  process.join();
  CHECK(losses.count() == 0);
}

TEST_CASE("strangers get no line, and no word", "[launch][lifelines][bad input]") {
  Losses losses;
  const auto root = make(0, 3, losses);
  Secret wrong = kSecret;
  wrong.back() ^= std::byte{1};
  for (const auto& [secret, process] : std::vector<std::pair<Secret, int>>{{wrong, 1}, {kSecret, 0}, {kSecret, 3}}) {
    const Descriptor line = connect_to(root->address());
    introduce(line, secret, process);
    CHECK(is_closed_by_other(line));
  }
  const Descriptor first = connect_to(root->address());
  introduce(first, kSecret, 1);
  const Descriptor second = connect_to(root->address());
  introduce(second, kSecret, 1);  // the same again: one of the two
  CHECK(is_answered(first) != is_answered(second));
  CHECK(losses.count() == 0);
}

TEST_CASE("a process that stands below another gets no line", "[launch][lifelines][bad input]") {
  Losses losses;
  const auto root = make(0, 18, losses);
  const Descriptor line = connect_to(root->address());
  introduce(line, kSecret, 17);
  CHECK(is_closed_by_other(line));
}

constexpr std::array kHalf{std::byte{1}};

TEST_CASE("strangers that stop midway keep out no process of the run, and only the last are kept",
          "[launch][lifelines]") {
  Losses losses;
  const auto root = make(0, 2, losses);
  std::vector<Descriptor> lines;
  for (int i = 1; i <= 72; ++i) {
    send(lines.emplace_back(connect_to(root->address())), kHalf);
    if (i % 8 == 0) wait_until_read(*root);  // so those before it are in, too
  }
  CHECK(is_closed_by_other(lines.front()));
  introduce(lines.emplace_back(connect_to(root->address())), kSecret, 1);
  CHECK(is_answered(lines.back()));
}

TEST_CASE("strangers that send nothing take no place of those that do", "[launch][lifelines]") {
  Losses losses;
  const auto root = make(0, 2, losses);
  const Descriptor slow = connect_to(root->address());
  const ConnectionCode code = code_of(slow, ConnectionEnd::opened, kSecret);
  send(slow, std::span(code).first(1));
  std::vector<Descriptor> silent;
  for (int i = 0; i < 100; ++i) silent.push_back(connect_to(root->address()));
  wait_until_read(*root);
  send(slow, std::span(code).subspan(1));
  const std::int32_t process = 1;
  send(slow, std::as_bytes(std::span(&process, 1)));
  CHECK(is_answered(slow));
}

TEST_CASE("strangers who have gone leave their places to others", "[launch][lifelines][bad input]") {
  Losses losses;
  auto root = make(0, 2, losses);
  for (int i = 0; i < 80; ++i) {
    static_cast<void>(connect_to(root->address()));
    wait_until_read(*root);
  }
  const Descriptor line = connect_to(root->address());
  introduce(line, kSecret, 1);
  CHECK(is_answered(line));
}

}  // namespace kaon::testing::lifelines
