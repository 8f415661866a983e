// SPDX-License-Identifier: Apache-2.0
// How many ways there are to place N queens on a board so that none attacks another: a search whose branches differ
// much. Each placement of the first rows is a single chare, made on whatever PE has time; from `grain` rows on one
// chare searches alone.
#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "examples/queens/board.hpp"

namespace queens {

/// One on each PE: what has been found there.
class Count : public kaon::Chare<Count> {
 public:
  void add(std::uint64_t found) {
    found_ += found;
    ++searches_;
  }
  std::uint64_t found() const { return found_; }
  std::uint64_t searches() const { return searches_; }

 private:
  std::uint64_t found_ = 0;
  std::uint64_t searches_ = 0;  // that ended here
};

class Search : public kaon::Chare<Search> {
 public:
  Search(const Board& board, int grain, const kaon::Group<Count>& counts) {
    if (board.rows >= grain || board.rows == board.size)
      counts.local().add(solutions(board));
    else
      board.each_next([&](const Board& next) { kaon::this_runtime().make<Search>(next, grain, counts); });
    destroy();
  }
};

struct Options {
  int size = 12;
  int grain = 4;
};

// The On-Line Encyclopedia of Integer Sequences, A000170.
constexpr std::array<std::uint64_t, 19> kKnown{
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624};

kaon::Task<int> count(kaon::Runtime& runtime, Options options) {
  const auto counts = co_await runtime.create_group<Count>();
  const auto start = std::chrono::steady_clock::now();
  runtime.make<Search>(Board{options.size}, options.grain, counts);
  co_await runtime.quiescence();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::uint64_t found = co_await counts.call_all<&Count::found>(kaon::sum);
  const std::uint64_t searches = co_await counts.call_all<&Count::searches>(kaon::sum);
  const std::uint64_t least = co_await counts.call_all<&Count::searches>(kaon::min);
  std::printf("%d queens: %llu ways, by %llu searches, at least %llu on each of %u PEs, in %.3f s\n", options.size,
              static_cast<unsigned long long>(found), static_cast<unsigned long long>(searches),
              static_cast<unsigned long long>(least), runtime.pes(), seconds);
  const std::uint64_t known = kKnown[static_cast<std::size_t>(options.size)];
  if (found != known) std::printf("wrong: %llu ways are known\n", static_cast<unsigned long long>(known));
  co_return found == known ? 0 : 1;
}

kaon::Task<int> queens_main(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  CLI::App app("Counts the ways to place N queens on a board of N x N so that none attacks another.");
  app.add_option("--size", options.size, "N")->check(CLI::Range(1, 18))->capture_default_str();
  app.add_option("--grain", options.grain, "rows from which on one chare searches alone")
      ->check(CLI::Range(0, 18))
      ->capture_default_str();
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  co_return co_await count(runtime, options);
}

}  // namespace queens

int main(int argc, char** argv) { return kaon::run(argc, argv, queens::queens_main); }
