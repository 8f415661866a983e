// SPDX-License-Identifier: Apache-2.0
// How many ways there are to place N queens on a board so that none attacks another: a search whose branches differ
// much. Each placement of the first rows is a single chare, made on whatever PE has time; from `grain` rows on one
// chare searches alone. Or one way, found soon by priorities: of hundreds of thousands of placements that wait, the one
// that a search by one PE would try next.
#include <CLI/CLI.hpp>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

/// One on each PE: the way that was found.
class First : public kaon::Chare<First> {
 public:
  void found(std::vector<int> columns) {
    if (columns_.empty() || columns < columns_) columns_ = std::move(columns);  // the same on all PEs
  }
  void note_search() { ++searches_; }
  bool is_found() const { return !columns_.empty(); }
  std::vector<int> columns() const { return columns_; }
  std::uint64_t searches() const { return searches_; }

 private:
  std::vector<int> columns_;  // of the queens, by rows
  std::uint64_t searches_ = 0;
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

/// Looks for one way: rows in order, and on all PEs what a search by one PE would try next comes first.
class FirstSearch : public kaon::Chare<FirstSearch> {
 public:
  FirstSearch(const Board& board, std::vector<int> columns, const kaon::BitPriority& place,
              const kaon::Group<First>& firsts) {
    First& first = firsts.local();
    if (!first.is_found()) {
      first.note_search();
      if (board.rows == board.size)
        firsts.broadcast<&First::found>(std::move(columns));
      else
        go_on(board, columns, place, firsts);
    }
    destroy();
  }

 private:
  static void go_on(const Board& board, const std::vector<int>& columns, const kaon::BitPriority& place,
                    const kaon::Group<First>& firsts) {
    board.each_next([&](const Board& next) {
      const int column = std::countr_zero(next.columns & ~board.columns);
      std::vector<int> longer = columns;
      longer.push_back(column);
      const kaon::BitPriority below = place.child(static_cast<std::uint64_t>(column), 5);
      kaon::this_runtime().make_with_priority<FirstSearch>(below, next, std::move(longer), below, firsts);
    });
  }
};

struct Options {
  int size = 12;
  int grain = 4;
  bool is_first = false;
};

/// Whether no two queens, one in each row, attack each other: looked at pair by pair.
bool is_way(const std::vector<int>& columns, int size) {
  for (std::size_t row = 0; row < columns.size(); ++row)
    for (std::size_t other = 0; other < row; ++other) {
      const int apart = std::abs(columns[row] - columns[other]);
      if (apart == 0 || apart == static_cast<int>(row - other)) return false;
    }
  return static_cast<int>(columns.size()) == size;
}

kaon::Task<int> find_first(kaon::Runtime& runtime, Options options) {
  const auto firsts = co_await runtime.create_group<First>();
  runtime.make_with_priority<FirstSearch>(kaon::BitPriority(), Board{options.size}, std::vector<int>(),
                                          kaon::BitPriority(), firsts);
  co_await runtime.quiescence();
  const std::uint64_t searches = co_await firsts.call_all<&First::searches>(kaon::sum);
  const std::vector<int> columns = firsts.local().columns();
  const bool has_way = options.size != 2 && options.size != 3;
  const bool is_right = has_way ? is_way(columns, options.size) : columns.empty();
  std::printf("%d queens: %s after %llu searches:", options.size, has_way ? "a way" : "no way",
              static_cast<unsigned long long>(searches));
  for (const int column : columns) std::printf(" %d", column);
  std::printf(is_right ? "\n" : "\nwrong\n");
  co_return is_right ? 0 : 1;
}

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
  app.add_flag("--first", options.is_first, "look for one way, which ends the search");
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  if (options.is_first) co_return co_await find_first(runtime, options);
  co_return co_await count(runtime, options);
}

}  // namespace queens

int main(int argc, char** argv) { return kaon::run(argc, argv, queens::queens_main); }
