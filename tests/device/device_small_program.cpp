// SPDX-License-Identifier: Apache-2.0
// Small payloads of many sizes between PEs that have resident schedulers, to all kinds of receivers: all, or until the
// run ends meanwhile: ends. The exit code says whether all was right.
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/resident_cells.hpp"

namespace small {  // not unnamed: entries are told apart by their names

using Bytes = kaon::Payload<unsigned char>;
enum class Kind : std::uint8_t { pooled, landed, deferred, forgotten };
constexpr std::size_t kMostBytes = 5000;
constexpr std::size_t kEdges[] = {0, 1, 15, 16, 17, 4095, 4096, 4097};

/// What a payload is, and how many come behind it.
struct Parcel {
  Kind kind = Kind::pooled;
  int left = 0;
  std::uint64_t size = 0;
  unsigned seed = 0;
  unsigned char value(std::size_t i) const { return static_cast<unsigned char>(seed + i * 7 + i / 256); }
};

class Sender : public kaon::Chare<Sender> {
 public:
  Sender() { random_.seed(static_cast<std::uint32_t>(index().x) + 1); }
  /// From now on its PE has a kernel that carries.
  void open() { cells_.emplace(kaon::testing::options_of(1)); }
  void shut() { cells_.reset(); }
  void start(int chains, int left) {
    for (int i = 0; i < chains; ++i) send(left);
  }
  kaon::Task<> pooled(Parcel parcel, Bytes bytes) { return check(parcel, std::move(bytes)); }
  kaon::Task<> landed(Parcel parcel, Bytes bytes) { return check(parcel, std::move(bytes)); }
  kaon::Landing post(kaon::PostFor<&Sender::landed>, const Parcel& parcel, const Bytes&) {
    landings_.emplace_back(parcel.size, stream_);
    return kaon::Landing::into(landings_.back().span(), stream_);
  }
  kaon::Task<> deferred(Parcel parcel, Bytes bytes) {
    co_await land(bytes, kaon::Landing::pooled());
    co_await check(parcel, std::move(bytes));
  }
  kaon::Landing post(kaon::PostFor<&Sender::deferred>, const Parcel&, const Bytes&) { return kaon::Landing::later(); }
  void forgotten(Parcel parcel, const Bytes&) { go_on(parcel, true); }
  kaon::Landing post(kaon::PostFor<&Sender::forgotten>, const Parcel&, const Bytes&) { return kaon::Landing::later(); }
  int good() const { return good_; }

 private:
  void send(int left) {
    const bool is_edge = random_() % 2 == 0;
    const Parcel parcel{static_cast<Kind>(random_() % 4), left,
                        is_edge ? kEdges[random_() % std::size(kEdges)] : random_() % kMostBytes,
                        static_cast<unsigned>(random_())};
    const auto to = array()[static_cast<int>(random_() % static_cast<unsigned>(array().shape().x))];
    if (parcel.kind == Kind::pooled) to.send<&Sender::pooled>(parcel, made(parcel));
    if (parcel.kind == Kind::landed) to.send<&Sender::landed>(parcel, made(parcel));
    if (parcel.kind == Kind::deferred) to.send<&Sender::deferred>(parcel, made(parcel));
    if (parcel.kind == Kind::forgotten) to.send<&Sender::forgotten>(parcel, made(parcel));
  }
  Bytes made(const Parcel& parcel) {
    kaon::gpu::Buffer<unsigned char> buffer(parcel.size, stream_);
    kaon::gpu::Pinned<unsigned char> values(parcel.size, stream_);
    for (std::size_t i = 0; i < parcel.size; ++i) values[i] = parcel.value(i);
    stream_.copy(buffer.span(), values);
    return Bytes(std::move(buffer), stream_);
  }
  kaon::Task<> check(Parcel parcel, Bytes bytes) {
    bool is_right = bytes.size() == parcel.size;
    kaon::gpu::Pinned<unsigned char> values(bytes.size(), stream_);
    stream_.copy(values, bytes.view(stream_));
    bytes = {};
    co_await stream_.drained();
    for (std::size_t i = 0; is_right && i < parcel.size; ++i) is_right = values[i] == parcel.value(i);
    go_on(parcel, is_right);
  }
  void go_on(const Parcel& parcel, bool is_right) {
    good_ += is_right;
    if (parcel.left > 0) send(parcel.left - 1);
  }

  kaon::gpu::Stream stream_;
  std::optional<kaon::testing::Cells> cells_;
  std::minstd_rand random_;
  std::vector<kaon::gpu::Buffer<unsigned char>> landings_;
  int good_ = 0;
};

/// Also while PEs have no such kernels any more, and when they have others.
kaon::Task<bool> send_all(kaon::Runtime& runtime, kaon::Group<Sender> senders) {
  constexpr int kLives = 3, kChains = 40, kLength = 10;
  for (int life = 0; life < kLives; ++life) {
    senders.broadcast<&Sender::open>();
    co_await runtime.quiescence();
    senders.broadcast<&Sender::start>(kChains, kLength - 1);
    co_await runtime.quiescence();
    senders.broadcast<&Sender::start>(kChains, 0);
    senders.broadcast<&Sender::shut>();
    senders.broadcast<&Sender::start>(kChains, 0);
    co_await runtime.quiescence();
  }
  const int good = co_await senders.call_all<&Sender::good>(kaon::sum);
  const int wanted = static_cast<int>(runtime.pes()) * kLives * kChains * (kLength + 2);
  std::printf("small: %d of %d\n", good, wanted);
  co_return good == wanted;
}

kaon::Task<int> run_small(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const auto senders = co_await runtime.create_group<Sender>();
  if (arguments.at(0) == "all") {
    const bool is_right = co_await send_all(runtime, senders);
    co_return is_right ? 0 : 1;
  }
  senders.broadcast<&Sender::open>();
  co_await runtime.quiescence();
  senders.broadcast<&Sender::start>(200, 1'000'000);
  (void)co_await senders.call_all<&Sender::good>(kaon::sum);
  co_return 0;
}

}  // namespace small

int main(int argc, char** argv) { return kaon::run(argc, argv, small::run_small, kaon::with_devices); }
