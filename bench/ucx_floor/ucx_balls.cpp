// SPDX-License-Identifier: Apache-2.0
#include "bench/ucx_floor/ucx_balls.hpp"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "bench/programs/modify.hpp"

namespace kaon::bench {
namespace {

constexpr ucp_tag_t kTag = ucp_tag_t{2} << 32;  // the throws that are left in the lower half
constexpr ucp_tag_t kLeftMask = 0xffffffff;

}  // namespace

double UcxBalls::seconds(const Game& game) {
  prepare(game);
  connection_.barrier();
  const auto start = std::chrono::steady_clock::now();
  play(game);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  connection_.barrier();
  return seconds;
}

// As many receives are posted as balls may come at once, before the first one can come.
void UcxBalls::prepare(const Game& game) {
  const auto balls = static_cast<std::size_t>(game.all_balls());
  free_.clear();
  buffers_.clear();
  buffers_.resize(2 * balls + 1);
  for (Buffer& buffer : buffers_) {
    buffer.game = this;
    buffer.memory.reset(static_cast<std::byte*>(::operator new(game.bytes, std::align_val_t{64})));
    std::memset(buffer.memory.get(), 0, game.bytes);
    free_.push_back(&buffer);
  }
  to_answer_ = to_post_ = game.all_balls() * game.throws / 2;
  for (std::size_t i = 0; i < balls && to_post_ > 0; ++i) post_receive(take_free(), game.bytes);
}

void UcxBalls::play(const Game& game) {
  if (is_first_ || game.is_both_ways)
    for (int i = 0; i < game.balls; ++i) send(take_free(), game.bytes, static_cast<ucp_tag_t>(game.throws - 1));
  while (to_answer_ > 0 || in_flight_ > 0) {
    connection_.progress();
    while (!arrivals_.empty()) {
      const Arrival arrival = arrivals_.back();
      arrivals_.pop_back();
      answer(game, arrival);
    }
  }
}

void UcxBalls::answer(const Game& game, const Arrival& arrival) {
  --to_answer_;
  Buffer* leaving = arrival.buffer;
  Buffer* landing = arrival.buffer;
  if (game.pattern == Pattern::handed_on) {
    landing = nullptr;
    kaon_bench_modify(reinterpret_cast<std::uint64_t*>(leaving->memory.get()), game.bytes / sizeof(std::uint64_t));
  } else {
    leaving = nullptr;
  }
  if (to_post_ > 0)
    post_receive(landing != nullptr ? *landing : take_free(), game.bytes);
  else if (landing != nullptr)
    free_.push_back(landing);
  if (arrival.throws_left == 0 && leaving != nullptr) require_whole(*leaving, game);
  if (arrival.throws_left > 0)
    send(leaving != nullptr ? *leaving : take_free(), game.bytes, arrival.throws_left - 1);
  else if (leaving != nullptr)
    free_.push_back(leaving);
}

// Each throw has added 1 to each word.
void UcxBalls::require_whole(const Buffer& ball, const Game& game) {
  const auto* const words = reinterpret_cast<const std::uint64_t*>(ball.memory.get());
  const auto expected = static_cast<std::uint64_t>(game.throws);
  if (words[0] != expected || words[game.bytes / sizeof(std::uint64_t) - 1] != expected)
    throw std::runtime_error("a ball came back with other values than its throws gave it");
}

UcxBalls::Buffer& UcxBalls::take_free() {
  while (free_.empty()) connection_.progress();  // sends give theirs back
  Buffer* const buffer = free_.back();
  free_.pop_back();
  return *buffer;
}

void UcxBalls::post_receive(Buffer& into, std::size_t bytes) {
  --to_post_;
  ucp_tag_recv_info_t info{};
  ucp_request_param_t how{};
  how.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_MEMORY_TYPE |
                     UCP_OP_ATTR_FIELD_RECV_INFO;
  how.user_data = &into;
  how.memory_type = UCS_MEMORY_TYPE_HOST;
  how.cb.recv = received;
  how.recv_info.tag_info = &info;
  void* const request = ucp_tag_recv_nbx(connection_.worker(), into.memory.get(), bytes, kTag, ~kLeftMask, &how);
  check_request(request, "ucp_tag_recv_nbx");
  if (request == nullptr) arrivals_.push_back({&into, info.sender_tag & kLeftMask});
}

void UcxBalls::send(Buffer& from, std::size_t bytes, ucp_tag_t throws_left) {
  ucp_request_param_t how{};
  how.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_MEMORY_TYPE;
  how.user_data = &from;
  how.memory_type = UCS_MEMORY_TYPE_HOST;
  how.cb.send = sent;
  void* const request = ucp_tag_send_nbx(connection_.endpoint(), from.memory.get(), bytes, kTag | throws_left, &how);
  check_request(request, "ucp_tag_send_nbx");
  if (request == nullptr)
    free_.push_back(&from);
  else
    ++in_flight_;
}

void UcxBalls::sent(void* request, ucs_status_t status, void* buffer) noexcept {
  check(status, "a send");
  auto& from = *static_cast<Buffer*>(buffer);
  --from.game->in_flight_;
  from.game->free_.push_back(&from);
  ucp_request_free(request);
}

void UcxBalls::received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* buffer) noexcept {
  check(status, "a receive");
  auto& into = *static_cast<Buffer*>(buffer);
  into.game->arrivals_.push_back({&into, info->sender_tag & kLeftMask});
  ucp_request_free(request);
}

}  // namespace kaon::bench
