// SPDX-License-Identifier: Apache-2.0
// Sorts keys that are spread over the ranks, by regular sampling: each rank sorts its own, all agree on keys that
// divide the whole evenly, what lies between two of them goes to one rank, which merges what it gets. Then the result
// is checked: in order within and between ranks, and neither a key lost nor one made. The check sum is the same on any
// number of ranks.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using Key = std::uint64_t;
using Keys = std::vector<Key>;

struct Options {
  long keys = 1 << 20;  // of all ranks together
  Key seed = 1;
  Key different = 0;  // how many different keys there may be at most; 0: no limit
  bool is_quiet = false;
};

struct Ranks {
  int rank = 0, size = 1;

  long first_of(int of_rank, long keys) const { return keys / size * of_rank + std::min<long>(of_rank, keys % size); }
};

const Ranks& ranks() {
  static const Ranks found = [] {
    Ranks made;
    MPI_Comm_rank(MPI_COMM_WORLD, &made.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &made.size);
    return made;
  }();
  return found;
}

Key mixed(Key value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

Key sum_of_all(Key value) {
  Key sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

void usage(const char* name) {
  std::printf("%s [-n KEYS] [-s SEED] [-d DIFFERENT] [-q]\n", name);
  std::printf("  -n  keys of all ranks together\n  -s  what keys there are\n  -d  how many different ones at most\n");
  std::printf("  -q  print the check sum alone\n");
}

// Whether the run is to go on; when not, `code` is what it ends with.
bool read_options(int argc, char** argv, Options& options, int& code) {
  opterr = ranks().rank == 0;
  int option = 0;
  while ((option = getopt(argc, argv, "n:s:d:qh")) != -1) {
    if (option == 'n') options.keys = std::atol(optarg);
    if (option == 's') options.seed = std::strtoull(optarg, nullptr, 0);
    if (option == 'd') options.different = std::strtoull(optarg, nullptr, 0);
    if (option == 'q') options.is_quiet = true;
    if (option == 'h' || option == '?') break;
  }
  if (option == -1 && options.keys >= 0) return true;
  if (ranks().rank == 0) usage(argv[0]);
  code = option == 'h' ? 0 : 2;
  return false;
}

// A key is told by its number among all, so that they are the same on any number of ranks.
Keys own_keys(const Options& options) {
  const long first = ranks().first_of(ranks().rank, options.keys);
  Keys keys(static_cast<std::size_t>(ranks().first_of(ranks().rank + 1, options.keys) - first));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Key key = mixed(options.seed * 0x9e3779b97f4a7c15u + static_cast<Key>(first) + i);
    keys[i] = options.different == 0 ? key : key % options.different;
  }
  return keys;
}

// Of sorted keys, as many as there are ranks, evenly spread; none where there are no keys.
Keys sample(const Keys& sorted) {
  const auto wanted = static_cast<std::size_t>(ranks().size);
  Keys samples;
  for (std::size_t i = 0; i < wanted && !sorted.empty(); ++i) samples.push_back(sorted[i * sorted.size() / wanted]);
  return samples;
}

std::vector<int> offsets(const std::vector<int>& counts) {
  std::vector<int> starts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  return starts;
}

// Of all ranks, at the first one.
Keys gathered(const Keys& own) {
  const int count = static_cast<int>(own.size());
  std::vector<int> counts(static_cast<std::size_t>(ranks().size));
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  const std::vector<int> starts = offsets(counts);
  Keys all(static_cast<std::size_t>(starts.back() + counts.back()));
  MPI_Gatherv(own.data(), count, MPI_UINT64_T, all.data(), counts.data(), starts.data(), MPI_UINT64_T, 0,
              MPI_COMM_WORLD);
  return all;
}

// The least keys of all ranks but the first, which chooses them for all.
Keys splitters(const Keys& sorted) {
  Keys samples = gathered(sample(sorted));
  std::sort(samples.begin(), samples.end());
  const auto parts = static_cast<std::size_t>(ranks().size);
  Keys chosen;
  for (std::size_t i = 1; i < parts && !samples.empty(); ++i) chosen.push_back(samples[i * samples.size() / parts]);
  chosen.resize(parts - 1, 0);
  MPI_Bcast(chosen.data(), static_cast<int>(chosen.size()), MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return chosen;
}

// How many of the sorted keys go to each rank.
std::vector<int> parts_of(const Keys& sorted, const Keys& least) {
  std::vector<int> counts;
  auto begin = sorted.begin();
  for (const Key key : least) {
    const auto end = std::lower_bound(begin, sorted.end(), key);
    counts.push_back(static_cast<int>(end - begin));
    begin = end;
  }
  counts.push_back(static_cast<int>(sorted.end() - begin));
  return counts;
}

// Neighbouring runs of sorted keys are merged until one is left.
void merge_runs(Keys& keys, std::vector<int> starts) {
  starts.push_back(static_cast<int>(keys.size()));
  while (starts.size() > 2) {
    std::vector<int> left{0};
    for (std::size_t i = 0; i + 1 < starts.size(); i += 2) {
      const int end = starts[std::min(i + 2, starts.size() - 1)];
      std::inplace_merge(keys.begin() + starts[i], keys.begin() + starts[i + 1], keys.begin() + end);
      left.push_back(end);
    }
    starts = std::move(left);
  }
}

Keys exchanged(const Keys& sorted, const std::vector<int>& to) {
  std::vector<int> from(to.size());
  MPI_Alltoall(to.data(), 1, MPI_INT, from.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const std::vector<int> places_of_sent = offsets(to), places = offsets(from);
  Keys keys(static_cast<std::size_t>(places.back() + from.back()));
  MPI_Alltoallv(sorted.data(), to.data(), places_of_sent.data(), MPI_UINT64_T, keys.data(), from.data(), places.data(),
                MPI_UINT64_T, MPI_COMM_WORLD);
  merge_runs(keys, places);
  return keys;
}

Keys sorted_over_ranks(Keys keys) {
  std::sort(keys.begin(), keys.end());
  return exchanged(keys, parts_of(keys, splitters(keys)));
}

// The greatest key of the ranks before this one, or 0. Ranks without keys have no word in it.
Key greatest_before(const Keys& keys) {
  const Key own = keys.empty() ? 0 : keys.back();
  Key before = 0;
  MPI_Exscan(&own, &before, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return ranks().rank == 0 ? 0 : before;
}

bool is_in_order(const Keys& keys) {
  const Key before = greatest_before(keys);
  const int here = std::is_sorted(keys.begin(), keys.end()) && (keys.empty() || before <= keys.front());
  int everywhere = 0;
  MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return everywhere != 0;
}

// The same for keys in any order.
Key sum_of_keys(const Keys& keys) {
  return sum_of_all(
      std::transform_reduce(keys.begin(), keys.end(), Key{0}, std::plus<>(), [](Key key) { return mixed(key + 1); }));
}

// Of the keys with their places in the whole.
Key check_sum(const Keys& keys) {
  long count = static_cast<long>(keys.size()), first = 0;
  MPI_Exscan(&count, &first, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (ranks().rank == 0) first = 0;
  Key sum = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) sum += mixed(keys[i] ^ mixed(static_cast<Key>(first) + i));
  return sum_of_all(sum);
}

// The exit code.
int sort_and_check(const Options& options) {
  Keys keys = own_keys(options);
  const Key sum_before = sum_of_keys(keys);
  const double start = MPI_Wtime();
  keys = sorted_over_ranks(std::move(keys));
  const double seconds = MPI_Wtime() - start;
  const bool is_sorted = is_in_order(keys), is_complete = sum_of_keys(keys) == sum_before;
  const long count = static_cast<long>(keys.size());
  long most = 0;
  MPI_Reduce(&count, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  const Key sum = check_sum(keys);
  if (ranks().rank == 0) {
    if (!options.is_quiet)
      std::printf("%ld keys on %d ranks, %ld on one at most: sorted in %.3f s\n", options.keys, ranks().size, most,
                  seconds);
    std::printf("%s, %s, check sum %016llx\n", is_sorted ? "in order" : "NOT in order",
                is_complete ? "complete" : "NOT complete", static_cast<unsigned long long>(sum));
  }
  return is_sorted && is_complete ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Options options;
  int code = 0;
  if (read_options(argc, argv, options, code)) code = sort_and_check(options);
  MPI_Finalize();
  return code;
}
