// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/collectives/simulated_ranks.hpp"

#include <algorithm>

namespace kaon::testing {

using ampi::Completion;
using ampi::Piece;
using ampi::Schedule;
using ampi::Side;

struct SimulatedRanks::Message {
  Piece piece;
  Completion* completion = nullptr;  // nullptr: told already
  std::vector<std::byte> copy;
};

struct SimulatedRanks::Rank final : ampi::Transport {
  bool send(Side side, int peer, int tag, const Piece& piece, Completion& completion) override {
    return all->send(number, side, peer, tag, piece, completion);
  }
  bool receive(Side side, int peer, int tag, const Piece& piece, Completion& completion) override {
    all->receive(number, side, peer, tag, piece, completion);
    return false;
  }
  SimulatedRanks* all = nullptr;
  int number = 0;
};

struct SimulatedRanks::Job final : ampi::ScheduleOwner {
  void ended(int) override { has_ended = true; }
  bool may_call_program() override { return (*random)() % 2 == 0; }
  void held_up() override { is_held_up = true; }
  Schedule schedule;
  std::mt19937* random = nullptr;
  int rank = 0;
  int tag = 0;
  bool has_started = false;
  bool has_ended = false;
  bool is_held_up = false;
};

SimulatedRanks::SimulatedRanks(int size, int first_group, unsigned seed) : first_group_(first_group), random_(seed) {
  for (int rank = 0; rank < size; ++rank) {
    ranks_.push_back(std::make_unique<Rank>());
    ranks_.back()->all = this;
    ranks_.back()->number = rank;
  }
}

SimulatedRanks::~SimulatedRanks() = default;

void SimulatedRanks::add(const std::function<void(int rank, Schedule&)>& plan) {
  for (int rank = 0; rank < size(); ++rank) {
    jobs_.push_back(std::make_unique<Job>());
    jobs_.back()->random = &random_;
    jobs_.back()->rank = rank;
    jobs_.back()->tag = tags_;
    plan(rank, jobs_.back()->schedule);
  }
  ++tags_;
}

// The peers of a rank are counted in their group.
int SimulatedRanks::in_all(int rank, Side side, int peer) const {
  const bool is_first = rank < first_group_;
  const bool to_first = first_group_ == size() || (side == Side::local_group) == is_first;
  return to_first ? peer : first_group_ + peer;
}

bool SimulatedRanks::send(int rank, Side side, int peer, int tag, const Piece& piece, Completion& completion) {
  Channel& channel = channels_[{rank, in_all(rank, side, peer), side, tag}];
  Message& message = channel.sent.emplace_back(Message{piece, &completion, {}});
  if (random_() % 2 == 0) return false;
  const MPI_Count bytes = ampi::packed_bytes(piece);
  message.copy.resize(static_cast<std::size_t>(bytes));
  ampi::copy(piece, ampi::bytes_at(message.copy.data(), bytes));
  message.piece = ampi::bytes_at(message.copy.data(), bytes);
  if (random_() % 2 == 0) return false;
  message.completion = nullptr;
  return true;
}

void SimulatedRanks::receive(int rank, Side side, int peer, int tag, const Piece& piece, Completion& completion) {
  channels_[{in_all(rank, side, peer), rank, side, tag}].wanted.push_back({piece, &completion, {}});
}

void SimulatedRanks::match(Channel& channel) {
  Message sent = std::move(channel.sent.front());
  Message wanted = std::move(channel.wanted.front());
  channel.sent.pop_front();
  channel.wanted.pop_front();
  const bool fits = ampi::packed_bytes(sent.piece) == ampi::packed_bytes(wanted.piece);
  if (fits) ampi::copy(sent.piece, wanted.piece);
  const int error = fits ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
  if (sent.completion != nullptr) sent.completion->completed(error);
  wanted.completion->completed(error);
}

// One thing that can happen, at random: a start, a delivery, or a function of the program that was waited for.
bool SimulatedRanks::step() {
  std::vector<std::function<void()>> possible;
  for (const auto& job : jobs_) {
    Job& it = *job;
    if (!it.has_started) {
      possible.emplace_back([this, &it] {
        it.has_started = true;
        it.has_ended = it.schedule.start(*ranks_[static_cast<std::size_t>(it.rank)], it.tag, it);
      });
    } else if (it.is_held_up) {
      possible.emplace_back([&it] {
        it.is_held_up = false;
        it.schedule.go_on();
      });
    }
  }
  for (auto& [key, channel] : channels_) {
    if (channel.sent.empty() || channel.wanted.empty()) continue;
    possible.emplace_back([this, &channel = channel] { match(channel); });
  }
  if (possible.empty()) return false;
  possible[random_() % possible.size()]();
  return true;
}

bool SimulatedRanks::run() {
  while (step()) {
  }
  const bool is_empty = std::all_of(channels_.begin(), channels_.end(), [](const auto& entry) {
    return entry.second.sent.empty() && entry.second.wanted.empty();
  });
  return is_empty && std::all_of(jobs_.begin(), jobs_.end(), [](const auto& job) {
           return job->has_ended && job->schedule.error() == MPI_SUCCESS;
         });
}

}  // namespace kaon::testing
