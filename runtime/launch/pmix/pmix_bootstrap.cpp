// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/pmix/pmix_bootstrap.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <span>
#include <thread>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/output.hpp"
#include "kaon/runtime/launch/core_share.hpp"
#include "kaon/runtime/launch/final_words.hpp"
#include "kaon/runtime/launch/make_secret.hpp"
#include "kaon/runtime/launch/packed.hpp"

namespace kaon::launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kSecret = "kaon.secret";
constexpr const char* kFolder = "kaon.folder";
constexpr const char* kCores = "kaon.cores";
constexpr const char* kContact = "kaon.contact";
constexpr const char* kLifeline = "kaon.lifeline";

// How long a process waits for those that have not joined, unless KAON_TIMEOUT_START says otherwise: as kaonrun does.
constexpr seconds kStart{60};
// For an answer of another host's server, after a fence.
constexpr seconds kAnswer{30};
// For the launcher to end all processes, after which this one ends by itself.
constexpr milliseconds kAbort{2000};
// For the launcher to end all because of a process that is lost.
constexpr milliseconds kCause{500};

int joins = 0;  // of this process, one after the other

milliseconds start_limit() {
  const char* text = std::getenv("KAON_TIMEOUT_START");
  if (text == nullptr) return kStart;
  char* end = nullptr;
  const double limit = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(limit > 0 && limit < 1e6))
    throw UsageError(std::string("KAON_TIMEOUT_START=") + text + " is not a number of seconds");
  return milliseconds(static_cast<long>(limit * 1000));
}

std::span<const std::byte> bytes_of(const auto& values) { return std::as_bytes(std::span(values)); }

// Each other process may run wherever this one may: there is nothing to ask.
bool may_run_anywhere() {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 && allowed_processors() >= processors;
}

// A program of MPI keeps the launcher's word while it lives; where nobody does, it is not given a second time.
std::vector<int> hosts_of(const PmixClient& client, int join) {
  try {
    return client.hosts();
  } catch (const UsageError&) {
    if (join == 0) throw;
    throw UsageError(
        "this process has joined its run before, which the launcher lets it do once: keep its session and run more in "
        "it");
  }
}

}  // namespace

PmixBootstrap::PmixBootstrap() : join_(joins++) {
  take_seat(hosts_of(client_, join_), client_.rank());
  refuse_second();
  introduce();
  wait_for_all(start_limit(), kCores);
  learn();
}

// What a process has published stays as long as the job.
void PmixBootstrap::refuse_second() const {
  if (client_.get(seat_.process, named(kCores).c_str(), seconds(0)))
    throw UsageError(
        "another program of Kaon has joined this job in this process' place before: use one launcher for each program");
}

void PmixBootstrap::introduce() {
  if (seat_.process == 0) publish(kSecret, secret_ = make_secret());
  if (seat_.place_on_host == 0) {
    own_folder_.emplace();
    publish(kFolder, packed(own_folder_->shared()), true);
  }
  publish(kCores, bytes_of(processors_of_this_thread()), true);
  client_.commit();
}

void PmixBootstrap::publish(const char* what, std::span<const std::byte> value, bool is_for_host) {
  client_.put(named(what).c_str(), value, is_for_host);
}

void PmixBootstrap::learn() {
  take_secret(wanted(0, kSecret), kSecret);
  folder_ = unpacked_folder(wanted(first_of_host(), kFolder), kFolder);
  if (!may_run_anywhere()) share_cores([this](int process) { return wanted(process, kCores); });
}

std::vector<std::byte> PmixBootstrap::wanted(int process, const char* what) const {
  if (auto found = client_.get(process, named(what).c_str(), kAnswer)) return *std::move(found);
  throw LostPeer("the launcher does not give " + named(what) + " of process " + std::to_string(process) +
                 ", which has joined: the PMIx server of its host does not answer");
}

void PmixBootstrap::use_network(const std::string& interfaces) {
  lifelines_ = make_lifelines(interfaces, [this](int process) { end_by_loss(process); });
  if (lifelines_ != nullptr) publish(kLifeline, lifelines_->address());
}

// The cause is how that one has ended, which its launcher sees and may act upon; its code goes before ours, so the
// launcher is not asked to end the job. Those who hold a line to this process follow it.
void PmixBootstrap::end_by_loss(int process) {
  std::this_thread::sleep_for(kCause);
  begin_to_end();
  flush_output(kFlush);
  say_as(seat_, "ended because process " + std::to_string(process) + " is lost");
  _exit(kExitLostPeer);
}

void PmixBootstrap::put(std::uint64_t program_hash, std::vector<std::byte> blob) {
  program_hash_ = program_hash;
  const auto hash = std::as_bytes(std::span(&program_hash, 1));
  blob.insert(blob.begin(), hash.begin(), hash.end());
  publish(kContact, blob);
  client_.commit();
}

void PmixBootstrap::fence(milliseconds timeout) {
  wait_for_all(timeout == kLauncherDecides ? start_limit() : timeout, kContact);
  const std::optional<int> above = Lifelines::above(seat_.process);
  if (lifelines_ != nullptr && above) lifelines_->hold(*above, wanted(*above, kLifeline));
}

void PmixBootstrap::wait_for_all(milliseconds limit, const char* published) {
  const auto all = std::make_shared<Meeting>();
  client_.fence(all);
  if (all->wait(limit)) return;
  throw LostPeer(missing(published) + " did not join the run within " + std::to_string(limit.count()) +
                 " ms; do all processes run the same program, and does it call kaon::run()?");
}

// Of this host: the servers of others would have to ask theirs, and wait.
std::string PmixBootstrap::missing(const char* published) const {
  std::string names;
  for (int process = 0; process < seat_.processes; ++process)
    if (hosts_[static_cast<std::size_t>(process)] == seat_.host &&
        !client_.get(process, named(published).c_str(), seconds(0)))
      names += (names.empty() ? "process " : ", process ") + std::to_string(process);
  return names.empty() ? "a process of another host" : names;
}

std::vector<std::byte> PmixBootstrap::get(int process) {
  require_process(process);
  std::vector<std::byte> contact = wanted(process, kContact);
  if (contact.size() < sizeof program_hash_) throw_unreadable(kContact);
  if (std::memcmp(contact.data(), &program_hash_, sizeof program_hash_) != 0)
    abort(kExitUsage, "process " + std::to_string(process) + " and process " + std::to_string(seat_.process) +
                          " are different programs, or different builds of one: start the same binary in all "
                          "processes");
  contact.erase(contact.begin(), contact.begin() + sizeof program_hash_);
  return contact;
}

void PmixBootstrap::arrive() { client_.fence(end_); }

// The first of our threads that does goes on, and ends all. The launcher may kill the keeper of the folder, too.
void PmixBootstrap::begin_to_end() {
  while (is_ending_.exchange(true)) pause();
  if (!folder_.path.empty()) remove_folder(folder_.path);
}

void PmixBootstrap::abort(int code, std::string_view text) {
  begin_to_end();
  flush_output(kFlush);
  give_precedence(seat_, code);
  if (code == kExitLostPeer && lifelines_ != nullptr) std::this_thread::sleep_for(kCause);  // and those hear of us
  say_as(seat_, text);
  let_output_be_read();
  if (code == kExitLostPeer && lifelines_ != nullptr) _exit(code);
  client_.abort(code, std::string(text), kAbort);
  _exit(code);
}

}  // namespace kaon::launch
