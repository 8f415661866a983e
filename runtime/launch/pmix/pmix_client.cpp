// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/pmix/pmix_client.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unordered_map>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/output.hpp"
#include "kaon/runtime/launch/final_words.hpp"
#include "kaon/runtime/launch/pmix/pmix_functions.hpp"
#include "kaon/runtime/launch/wake.hpp"

namespace kaon::launch {
namespace {

using std::chrono::milliseconds;

// Of which news come, while it lives.
std::atomic<const PmixClient*> living = nullptr;

pmix_proc_t proc_of(const std::string& job, pmix_rank_t rank) {
  pmix_proc_t proc{};
  job.copy(proc.nspace, PMIX_MAX_NSLEN);
  proc.rank = rank;
  return proc;
}

pmix_info_t info(const char* key) {
  pmix_info_t made{};
  std::strncpy(made.key, key, PMIX_MAX_KEYLEN);
  return made;
}

pmix_info_t yes(const char* key) {
  pmix_info_t made = info(key);
  made.value.type = PMIX_BOOL;
  made.value.data.flag = true;
  return made;
}

pmix_info_t limit_of(const char* key, std::chrono::seconds count) {
  pmix_info_t made = info(key);
  made.value.type = PMIX_INT;
  made.value.data.integer = static_cast<int>(count.count());
  return made;
}

// A value that the library has made, and that is given back to it. Types other than those read here are not asked for.
class Value {
 public:
  Value(const PmixFunctions& pmix, const pmix_proc_t& proc, const char* key, std::span<const pmix_info_t> how = {}) {
    if (pmix.get(&proc, key, how.data(), how.size(), &value_) != PMIX_SUCCESS) value_ = nullptr;
  }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  ~Value() {
    if (value_ == nullptr) return;
    if (value_->type == PMIX_BYTE_OBJECT) std::free(value_->data.bo.bytes);
    if (value_->type == PMIX_STRING) std::free(value_->data.string);
    std::free(value_);
  }

  [[nodiscard]] std::optional<std::uint32_t> number() const {
    if (value_ == nullptr || value_->type != PMIX_UINT32) return std::nullopt;
    return value_->data.uint32;
  }
  [[nodiscard]] std::optional<std::string> text() const {
    if (value_ == nullptr || value_->type != PMIX_STRING || value_->data.string == nullptr) return std::nullopt;
    return value_->data.string;
  }
  [[nodiscard]] std::optional<std::vector<std::byte>> bytes() const {
    if (value_ == nullptr || value_->type != PMIX_BYTE_OBJECT) return std::nullopt;
    const auto* begin = reinterpret_cast<const std::byte*>(value_->data.bo.bytes);
    return std::vector<std::byte>(begin, begin + value_->data.bo.size);
  }

 private:
  pmix_value_t* value_ = nullptr;
};

[[noreturn]] void refuse(const PmixFunctions& pmix, const char* call, pmix_status_t status) {
  throw UsageError(std::string(call) + " of the launcher's PMIx failed (" + pmix.error_string(status) +
                   "): does its server still run, and is it of a version that the libpmix here understands?");
}

// On a thread of the library.
void on_event(std::size_t, pmix_status_t, const pmix_proc_t*, pmix_info_t*, std::size_t, pmix_info_t*, std::size_t,
              pmix_event_notification_cbfunc_fn_t done, void* data) {
  const PmixClient* client = living.load(std::memory_order_acquire);
  if (client == nullptr) {  // the run is over, and the process goes on with something else
    if (done != nullptr) done(PMIX_EVENT_ACTION_COMPLETE, nullptr, 0, nullptr, nullptr, data);
    return;
  }
  flush_output(kFlush);
  say_as(seat_on_one_host(client->rank(), client->ranks()), "ended because its launcher is gone");
  _exit(kExitLostPeer);
}

void on_fence(pmix_status_t status, void* data) {
  const std::unique_ptr<std::shared_ptr<Meeting>> all(static_cast<std::shared_ptr<Meeting>*>(data));
  if (status == PMIX_SUCCESS) (*all)->happen();
}

}  // namespace

PmixClient::PmixClient() : pmix_(pmix_functions()) {
  pmix_proc_t self{};
  if (const pmix_status_t status = pmix_.init(&self, nullptr, 0); status != PMIX_SUCCESS)
    refuse(pmix_, "PMIx_Init", status);
  job_ = self.nspace;
  rank_ = static_cast<int>(self.rank);
  const auto ranks = Value(pmix_, proc_of(job_, PMIX_RANK_WILDCARD), PMIX_JOB_SIZE).number();
  if (!ranks) refuse(pmix_, "PMIx_Get of the number of processes", PMIX_ERR_NOT_FOUND);
  ranks_ = static_cast<int>(*ranks);
  living.store(this, std::memory_order_release);
  std::array<pmix_status_t, 2> lost{PMIX_ERR_LOST_CONNECTION, PMIX_ERR_LOST_CONNECTION_TO_SERVER};
  const pmix_status_t handler =
      pmix_.register_event_handler(lost.data(), lost.size(), nullptr, 0, on_event, nullptr, nullptr);
  handler_ = handler < 0 ? 0 : static_cast<std::size_t>(handler);
}

PmixClient::~PmixClient() {
  living.store(nullptr, std::memory_order_release);
  pmix_.deregister_event_handler(handler_, nullptr, nullptr);
  pmix_.finalize(nullptr, 0);
}

std::vector<int> PmixClient::hosts() const {
  std::vector<int> hosts;
  std::unordered_map<std::string, int> numbers;  // in the order of their first rank
  for (int rank = 0; rank < ranks_; ++rank) {
    const pmix_proc_t proc = proc_of(job_, static_cast<pmix_rank_t>(rank));
    std::string name;
    if (const auto number = Value(pmix_, proc, PMIX_NODEID).number())
      name = std::to_string(*number);
    else if (const auto text = Value(pmix_, proc, PMIX_HOSTNAME).text())
      name = *text;
    else
      throw UsageError(
          "the launcher's PMIx does not say on which hosts the processes are: has another program joined this job in "
          "this "
          "process' place before? Start each program by a launcher of its own");
    hosts.push_back(numbers.try_emplace(std::move(name), static_cast<int>(numbers.size())).first->second);
  }
  return hosts;
}

void PmixClient::put(const char* name, std::span<const std::byte> value, bool is_for_host) {
  pmix_value_t given{};
  given.type = PMIX_BYTE_OBJECT;
  given.data.bo.bytes = reinterpret_cast<char*>(const_cast<std::byte*>(value.data()));  // it is copied
  given.data.bo.size = value.size();
  const pmix_status_t status = pmix_.put(is_for_host ? PMIX_LOCAL : PMIX_GLOBAL, name, &given);
  if (status != PMIX_SUCCESS) refuse(pmix_, "PMIx_Put", status);
}

void PmixClient::commit() {
  if (const pmix_status_t status = pmix_.commit(); status != PMIX_SUCCESS) refuse(pmix_, "PMIx_Commit", status);
}

std::optional<std::vector<std::byte>> PmixClient::get(int rank, const char* name, std::chrono::seconds limit) const {
  std::array<pmix_info_t, 1> how{limit.count() == 0 ? yes(PMIX_IMMEDIATE) : limit_of(PMIX_TIMEOUT, limit)};
  return Value(pmix_, proc_of(job_, static_cast<pmix_rank_t>(rank)), name, how).bytes();
}

// Slurm holds a fence that collects nothing to be one of each host (unless its mpi.conf says PMIxFenceBarrier):
// processes of other hosts may not have come when it is done.
bool PmixClient::must_collect() const { return job_.starts_with("slurm.pmix."); }

void PmixClient::fence(const std::shared_ptr<Meeting>& all) {
  auto kept = std::make_unique<std::shared_ptr<Meeting>>(all);
  const pmix_info_t collecting = yes(PMIX_COLLECT_DATA);
  const pmix_status_t status = pmix_.fence_nb(nullptr, 0, &collecting, must_collect() ? 1 : 0, on_fence, kept.get());
  if (status == PMIX_OPERATION_SUCCEEDED)  // nobody will call
    all->happen();
  else if (status == PMIX_SUCCESS)
    static_cast<void>(kept.release());
  else
    refuse(pmix_, "PMIx_Fence", status);
}

void PmixClient::abort(int code, const std::string& text, milliseconds limit) const {
  auto answer = std::make_shared<Meeting>();
  start_without_signals([this, answer, code, text] {
    pmix_.abort(code, text.c_str(), nullptr, 0);
    answer->happen();
  }).detach();
  static_cast<void>(answer->wait(limit));
}

}  // namespace kaon::launch
