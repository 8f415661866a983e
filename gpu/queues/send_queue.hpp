// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/kernels/quad.hpp"
#include "kaon/gpu/queues/queue_words.hpp"
#include "kaon/gpu/queues/work_request.hpp"

namespace kaon::gpu {

/// The fields of a request that are stored into its slot. With less than all of them, the slot keeps the others from
/// QueuePair::prefill(): 16 bytes of offsets, or 24 with the operand, instead of 64.
enum class StoredFields : std::uint8_t { all, offsets, offsets_and_operand };

/// When a call of post() rings the doorbell: as the queue's policy says, or in any case.
enum class Ring : std::uint8_t { by_policy, now };

/// The outcome of post(). `index` is the position of the request, for SendQueue::wait().
struct Posted {
  std::uint32_t index = 0;
  RequestStatus status = RequestStatus::ok;
  KAON_DEVICE bool is_ok() const { return status == RequestStatus::ok; }
};

/// The end of a queue pair in kernels: they post requests, ring the doorbell, and poll completions, without the host.
/// The kernel says kIsCooperative, or is an entry. Every wait ends after 2 s without progress, with a status; the queue
/// is of no use from then on.
///
/// Threads that share a queue reserve slots by one atomic, fill them, and publish them in the order of the slots. A
/// thread has its turn when all requests before its own are published; in its turn it rings the doorbell, if that is
/// due. So the turn elects the thread that rings, the doorbell only grows, and there is no lock. A queue of one thread
/// (is_shared = false) needs no atomics.
struct SendQueue {
  static constexpr std::uint64_t kPatienceNs = WaitLimit{}.nanoseconds;
  /// For `ring_every`: at a full queue, and in flush().
  static constexpr std::uint32_t kAtFull = 0;

  WorkRequest* requests = nullptr;
  const Quad* completions = nullptr;
  std::uint32_t* doorbell = nullptr;
  QueueWords words;
  std::uint32_t depth = 0;  // a power of two
  std::uint32_t number = 0;
  std::uint32_t ring_every = 1;
  bool is_shared = true;

  /// Posts a request by one thread. What this thread has written before is read by the request; call at.sync() before
  /// if other threads of the block have written. Waits for room while the queue is full.
  template <class Context>
  KAON_DEVICE Posted post(Context& at, const WorkRequest& request, StoredFields stored = StoredFields::all,
                          Ring ring = Ring::by_policy) const {
    using Words = typename Context::Words;
    Posted posted{reserve<Words>(1)};
    posted.status = make_room(at, posted.index, 1);
    if (!posted.is_ok()) return posted;
    fill(posted.index, request, stored);
    posted.status = publish(at, posted.index, 1, ring);
    return posted;
  }

  /// Posts a request of each thread of a block or warp, whose context `at` is; all of them call it. Their slots follow
  /// each other in the order of the threads. Each gets the index of its own request.
  template <class Context>
  KAON_DEVICE Posted post_each(Context& at, const WorkRequest& own, StoredFields stored = StoredFields::all,
                               Ring ring = Ring::by_policy) const {
    using Words = typename Context::Words;
    const auto count = static_cast<std::uint32_t>(at.threads().volume());
    const auto rank = static_cast<std::uint32_t>(at.threads().number(at.thread()));
    if (count > depth) return {0, RequestStatus::no_room};
    at.sync();  // a thread that still posts alone, behind the slots of the group, would wait for the group
    Posted first{};
    if (at.is_first()) {
      first.index = reserve<Words>(count);
      first.status = make_room(at, first.index, count);
    }
    first.index = at.sum(first.index);  // that of the first thread, as those of the others are 0
    first.status = agree(at, first.status);
    if (!first.is_ok()) return first;
    fill(first.index + rank, own, stored);
    at.sync();
    if (at.is_first()) first.status = publish(at, first.index, count, ring);
    return {first.index + rank, agree(at, first.status)};
  }

  /// Rings the doorbell for all that was posted. By one thread, while no other one posts.
  template <class Context>
  KAON_DEVICE void flush(Context&) const {
    using Words = typename Context::Words;
    const std::uint32_t end = of_all<Words>(is_shared ? words.published() : words.reserved());
    if (*words.rung() != end) ring_in_turn<Words>(end);
  }

  /// Waits until the request with this index is done. Returns its error, or `flushed` behind the first error of the
  /// queue. Its doorbell was rung: by Ring::now, by the policy, or by flush().
  template <class Context>
  KAON_DEVICE RequestStatus wait(Context& at, std::uint32_t index) const {
    using Words = typename Context::Words;
    const auto is_done = [&] { return is_reached(of_all<Words>(words.completed()), index + 1); };
    if (!poll_until(at, is_done)) return fail_or<Words>(RequestStatus::no_answer);
    const RequestStatus status = error<Words>();
    if (status == RequestStatus::ok) return status;
    const std::uint32_t failed = Words::peek(words.failed_index());
    if (index == failed) return status;
    return is_reached(index, failed) ? RequestStatus::flushed : RequestStatus::ok;
  }

  /// Rings the doorbell, and waits until all that was posted is done. By one thread, while no other one posts. Returns
  /// the first error of the queue.
  template <class Context>
  KAON_DEVICE RequestStatus quiet(Context& at) const {
    using Words = typename Context::Words;
    const std::uint32_t end = of_all<Words>(words.reserved());
    flush(at);
    const auto is_done = [&] { return is_reached(of_all<Words>(words.completed()), end); };
    if (!poll_until(at, is_done)) return fail_or<Words>(RequestStatus::no_answer);
    return error<Words>();
  }

  /// Takes the completion entries that are there, by any thread; returns without them while another thread takes them.
  template <class Context>
  KAON_DEVICE void poll(Context&) const {
    poll_entries<typename Context::Words>();
  }

  /// The first error of the queue.
  template <class Words>
  KAON_DEVICE RequestStatus error() const {
    return static_cast<RequestStatus>(Words::load(words.status(), Scope::device));
  }

 private:
  KAON_DEVICE static bool is_reached(std::uint32_t position, std::uint32_t k) {
    return static_cast<std::int32_t>(position - k) >= 0;
  }
  /// A word that one thread writes alone where the queue is not shared; then it needs no order.
  template <class Words>
  KAON_DEVICE std::uint32_t of_all(const std::uint32_t* word) const {
    return is_shared ? Words::load(word, Scope::device) : *word;
  }
  template <class Words>
  KAON_DEVICE void set_for_all(std::uint32_t* word, std::uint32_t value) const {
    if (is_shared)
      Words::store(word, value, Scope::device);
    else
      *word = value;
  }
  template <class Words>
  KAON_DEVICE std::uint32_t reserve(std::uint32_t count) const {
    if (is_shared) return Words::add(words.reserved(), count);
    const std::uint32_t first = *words.reserved();
    *words.reserved() = first + count;
    return first;
  }
  template <class Context>
  KAON_DEVICE static RequestStatus agree(Context& at, RequestStatus of_first) {
    const auto own = at.is_first() ? static_cast<std::uint32_t>(of_first) : 0U;
    return static_cast<RequestStatus>(at.sum(own));
  }
  KAON_DEVICE void fill(std::uint32_t position, const WorkRequest& request, StoredFields stored) const {
    WorkRequest& slot = requests[position % depth];
    if (stored == StoredFields::all) {
      slot = request;
      return;
    }
    slot.local_offset = request.local_offset;
    slot.remote_offset = request.remote_offset;
    if (stored == StoredFields::offsets_and_operand) slot.operand = request.operand;
  }

  template <class Words>
  KAON_DEVICE bool has_room(std::uint32_t end) const {
    return is_reached(of_all<Words>(words.completed()) + depth, end);
  }
  /// Rings for what was posted before first, in this thread's turn: room may come from nothing else.
  template <class Context>
  KAON_DEVICE RequestStatus make_room(Context& at, std::uint32_t first, std::uint32_t count) const {
    using Words = typename Context::Words;
    if (has_room<Words>(first + count)) return RequestStatus::ok;
    if (!wait_for_turn(at, first)) return fail_or<Words>(RequestStatus::no_room);
    if (*words.rung() != first) ring_in_turn<Words>(first);
    const auto is_there = [&] { return has_room<Words>(first + count); };
    if (!poll_until(at, is_there)) return fail_or<Words>(RequestStatus::no_room);
    return RequestStatus::ok;
  }
  template <class Context>
  KAON_DEVICE bool wait_for_turn(Context& at, std::uint32_t first) const {
    using Words = typename Context::Words;
    if (!is_shared) return true;
    return poll_until(at, [&] { return of_all<Words>(words.published()) == first; });
  }
  template <class Context>
  KAON_DEVICE RequestStatus publish(Context& at, std::uint32_t first, std::uint32_t count, Ring ring) const {
    using Words = typename Context::Words;
    if (!wait_for_turn(at, first)) return fail_or<Words>(RequestStatus::no_room);
    const std::uint32_t end = first + count;
    const bool is_due = ring_every != kAtFull && end - *words.rung() >= ring_every;
    if (is_due || ring == Ring::now) ring_in_turn<Words>(end);
    if (is_shared) Words::store(words.published(), end, Scope::device);
    return RequestStatus::ok;
  }
  /// The requests, and the data that they read, before the doorbell, for an adapter outside of this device, too.
  template <class Words>
  KAON_DEVICE void ring_in_turn(std::uint32_t end) const {
    *words.rung() = end;
    ++*words.rings();
    Words::store(doorbell, end, Scope::system);
  }

  /// True when the next completion entry is there.
  template <class Words>
  KAON_DEVICE bool has_entry(std::uint32_t polled, Quad& entry) const {
    entry = Words::look_at(completions[polled % depth]);
    return entry.epoch == polled / depth + 1 && entry.words[0] == number;
  }
  template <class Words>
  KAON_DEVICE void poll_entries() const {
    if (is_shared && Words::fetch_or(words.polling(), 1U, Scope::device) != 0) return;
    const std::uint32_t before = Words::peek(words.polled());
    std::uint32_t polled = before, reached = 0, failed = 0;
    auto status = RequestStatus::ok;
    for (Quad entry; polled - before < depth && has_entry<Words>(polled, entry); ++polled) {
      reached = entry.words[1];
      if (status != RequestStatus::ok) continue;
      status = static_cast<RequestStatus>(entry.words[2]);
      failed = reached - 1;
    }
    if (polled != before) {
      Words::fence(Scope::system);  // what the requests have done, and that their slots were read
      if (status != RequestStatus::ok) note_error<Words>(status, failed);
      Words::set(words.polled(), polled);
      set_for_all<Words>(words.completed(), reached);
    }
    if (is_shared) Words::store(words.polling(), 0U, Scope::device);
  }
  template <class Words>
  KAON_DEVICE void note_error(RequestStatus status, std::uint32_t index) const {
    if (error<Words>() != RequestStatus::ok) return;
    Words::set(words.failed_index(), index);
    Words::store(words.status(), static_cast<std::uint32_t>(status), Scope::device);
  }
  /// The first error of the queue; `status` if it has none, which it has from then on.
  template <class Words>
  KAON_DEVICE RequestStatus fail_or(RequestStatus status) const {
    const RequestStatus known = error<Words>();
    if (known != RequestStatus::ok) return known;
    Words::store(words.status(), static_cast<std::uint32_t>(status), Scope::device);
    return status;
  }

  /// Polls until it is met. False: 2 s went by without progress, or the queue has given up.
  template <class Context, class Condition>
  KAON_DEVICE bool poll_until(Context& at, const Condition& is_met) const {
    using Words = typename Context::Words;
    while (!is_met()) {
      const std::uint64_t end = Words::nanoseconds() + kPatienceNs;
      const std::uint32_t polled = Words::peek(words.polled());
      const bool goes_on = at.template find<int>([&](unsigned looks, int& found) {
        Quad entry;
        const bool is_next = has_entry<Words>(polled, entry) || is_met() || Words::peek(words.polled()) != polled;
        const bool is_late = looks % 256 == 0 && (Words::nanoseconds() > end || has_given_up<Words>());
        found = is_next ? kGoesOn : kIsLate;
        return is_next || is_late;
      }) == kGoesOn;
      if (!goes_on) return is_met();
      poll_entries<Words>();
    }
    return true;
  }
  static constexpr int kGoesOn = 1, kIsLate = 2;
  template <class Words>
  KAON_DEVICE bool has_given_up() const {
    const auto status = static_cast<RequestStatus>(Words::peek(words.status()));
    return status == RequestStatus::no_room || status == RequestStatus::no_answer;
  }
};

}  // namespace kaon::gpu
