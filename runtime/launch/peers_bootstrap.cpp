// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/peers_bootstrap.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/output.hpp"
#include "kaon/runtime/launch/final_words.hpp"
#include "kaon/runtime/launch/make_secret.hpp"
#include "kaon/runtime/launch/packed.hpp"

namespace kaon::launch {
namespace {

using std::chrono::milliseconds;

// For the launcher to end all because of a process that is lost.
constexpr milliseconds kCause{500};
// For all to be ended by the program's own means, after which this one ends by itself.
constexpr milliseconds kAbort{2000};

std::span<const std::byte> bytes_of(const auto& values) { return std::as_bytes(std::span(values)); }

// The same for all who share its memory: a container with a /dev/shm of its own is a host of its own.
std::string host_name() {
  std::string name;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> name;
  struct stat shared {};
  if (stat("/dev/shm", &shared) == 0) name += " " + std::to_string(shared.st_dev);
  return name;
}

void require_sense(const Peers& peers) {
  if (!peers.gather || !peers.enter_barrier || !peers.is_barrier_over)
    throw UsageError("Peers without gather, enter_barrier or is_barrier_over: a session needs all three");
  if (peers.process < 0 || peers.process >= peers.processes)
    throw UsageError("Peers: process " + std::to_string(peers.process) + " of " + std::to_string(peers.processes) +
                     ": is this process in the communicator?");
}

}  // namespace

PeersBootstrap::PeersBootstrap(Peers peers) : peers_(std::move(peers)) {
  require_sense(peers_);
  find_seat();
  share_secret();
  share_folder();
  const auto cores = gather(bytes_of(processors_of_this_thread()));
  share_cores([&](int process) { return cores[static_cast<std::size_t>(process)]; });
}

// All give as many bytes as the longest has.
std::vector<PeersBootstrap::Bytes> PeersBootstrap::gather(std::span<const std::byte> own) const {
  const auto count = static_cast<std::size_t>(peers_.processes);
  const std::size_t size = own.size();
  std::vector<std::size_t> sizes(count);
  peers_.gather(&size, sizes.data(), sizeof size);
  const std::size_t longest = *std::max_element(sizes.begin(), sizes.end());
  Bytes padded(longest), all(longest * count);
  std::copy(own.begin(), own.end(), padded.begin());
  peers_.gather(padded.data(), all.data(), longest);
  std::vector<Bytes> given;
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* begin = all.data() + i * longest;
    given.emplace_back(begin, begin + sizes[i]);
  }
  return given;
}

void PeersBootstrap::find_seat() {
  std::map<Bytes, int> numbers;  // in the order of their first process
  const std::string name = host_name();
  std::vector<int> hosts;
  for (const Bytes& host : gather(bytes_of(name)))
    hosts.push_back(numbers.try_emplace(host, static_cast<int>(numbers.size())).first->second);
  take_seat(std::move(hosts), peers_.process);
}

void PeersBootstrap::share_secret() {
  if (seat_.process == 0) secret_ = make_secret();
  take_secret(gather(bytes_of(secret_)).front(), "the secret");
}

void PeersBootstrap::share_folder() {
  if (seat_.place_on_host == 0) own_folder_.emplace();
  const auto folders = gather(packed(own_folder_ ? own_folder_->shared() : SharedFolder{}));
  folder_ = unpacked_folder(folders[static_cast<std::size_t>(first_of_host())], "the folder");
}

void PeersBootstrap::use_network(const std::string& interfaces) {
  lifelines_ = make_lifelines(interfaces, [this](int process) { end_by_loss(process); });
}

void PeersBootstrap::put(std::uint64_t program_hash, Bytes blob) {
  program_hash_ = program_hash;
  own_contact_ = std::move(blob);
}

// How long others may take is the program's own matter, whose calls wait for them.
void PeersBootstrap::fence(milliseconds) {
  const auto hashes = gather(std::as_bytes(std::span(&program_hash_, 1)));
  for (std::size_t process = 0; process < hashes.size(); ++process)
    if (hashes[process] != hashes.front())
      throw UsageError("process " + std::to_string(process) +
                       " and process 0 are different programs, or different builds of one: start the same binary in "
                       "all processes");
  contacts_ = gather(own_contact_);
  if (seat_.hosts == 1) return;
  const auto lines = gather(lifelines_ != nullptr ? std::span(lifelines_->address()) : std::span<const std::byte>());
  const std::optional<int> above = Lifelines::above(seat_.process);
  if (lifelines_ != nullptr && above) lifelines_->hold(*above, lines[static_cast<std::size_t>(*above)]);
}

std::vector<std::byte> PeersBootstrap::get(int process) {
  require_process(process);
  return contacts_[static_cast<std::size_t>(process)];
}

// By any thread, while only that of the session may call what the program has lent.
void PeersBootstrap::arrive() {
  has_arrived_.store(true, std::memory_order_release);  // what this process has done comes before
}

bool PeersBootstrap::is_released() {
  if (!has_arrived_.load(std::memory_order_acquire)) return false;
  if (!std::exchange(is_in_barrier_, true)) peers_.enter_barrier();
  return peers_.is_barrier_over();
}

void PeersBootstrap::end_by_loss(int process) {
  std::this_thread::sleep_for(kCause);
  abort(kExitLostPeer, "ended because process " + std::to_string(process) + " is lost");
}

// What the program has lent may wait for other threads of this process.
void PeersBootstrap::abort(int code, std::string_view text) {
  if (!folder_.path.empty()) remove_folder(folder_.path);
  flush_output(kFlush);
  give_precedence(seat_, code);
  say_as(seat_, text);
  let_output_be_read();
  if (peers_.abort) {
    start_without_signals([end = peers_.abort, code] { end(code); }).detach();
    std::this_thread::sleep_for(kAbort);
  }
  _exit(code);
}

}  // namespace kaon::launch
