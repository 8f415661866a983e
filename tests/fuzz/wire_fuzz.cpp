// SPDX-License-Identifier: Apache-2.0
// Batches and payloads of arbitrary bytes, given to a PE as another process would.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/messages/wire.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/loopback.hpp"

namespace kaon::testing::fuzzing {

struct Tree {
  int value;
  std::vector<Tree> children;
};

void numbers(Pe&, std::uint64_t, double, char) {}
void containers(Pe&, std::string, std::vector<std::vector<int>>, std::map<int, std::string>, std::vector<bool>) {}
void choices(Pe&, std::optional<std::string>, std::variant<int, std::string, std::vector<double>>) {}
void trees(Pe&, Tree) {}
void payload(Pe&, int, Payload<double>) {}
void payloads(Pe&, std::vector<Payload<char>>, Payload<int>) {}

using Landed = MessageFunctions<std::uint32_t, Payload<int>>;

void run_landed(Work& work, Pe& pe) { Landed::destroy(static_cast<Message&>(work), pe.pool()); }
void post_landed(Message& message, Pe&) {
  static std::vector<int> target(4096);
  PayloadRecord* record = std::get<1>(static_cast<Landed::Typed&>(message).arguments).record();
  if (record == nullptr) return;
  if (record->data == nullptr)
    land(*record, Landing::into(std::span<int>(target)));
  else
    relocate(*record, Landing::into(std::span<int>(target)));
}
EntryRecord landed_record{"kaon::fuzzing::landed",
                          "void(unsigned, Payload<int>)",
                          sizeof(Landed::Typed),
                          false,
                          &run_landed,
                          &Landed::pack,
                          &Landed::unpack,
                          &Landed::destroy,
                          &Landed::copy,
                          &post_landed};
const EntryRecord* const landed = enlist(landed_record);

// Naming them in a send lists the entries.
void name_entries(Pe& pe) {
  RemoteProcedure<&numbers, Counting::counted>::send(pe, 0, 1u, 1.0, 'x');
  RemoteProcedure<&containers, Counting::counted>::send(pe, 0, "", std::vector<std::vector<int>>(),
                                                        std::map<int, std::string>(), std::vector<bool>());
  RemoteProcedure<&choices, Counting::counted>::send(pe, 0, std::nullopt, 1);
  RemoteProcedure<&trees, Counting::counted>::send(pe, 0, Tree{});
  RemoteProcedure<&payload, Counting::counted>::send(pe, 0, 1, Payload<double>());
  RemoteProcedure<&payloads, Counting::counted>::send(pe, 0, std::vector<Payload<char>>(), Payload<int>());
}

// The input as a list of events: what comes (1 byte), how many bytes it has (2), the bytes.
class Input {
 public:
  explicit Input(std::span<const std::byte> rest) : rest_(rest) {}
  bool next(std::uint8_t& kind, std::span<const std::byte>& bytes) {
    if (rest_.size() < 3) return false;
    kind = static_cast<std::uint8_t>(rest_[0]);
    std::uint16_t size;
    std::memcpy(&size, &rest_[1], sizeof size);
    rest_ = rest_.subspan(3);
    bytes = rest_.first(std::min<std::size_t>(size, rest_.size()));
    rest_ = rest_.subspan(bytes.size());
    return true;
  }

 private:
  std::span<const std::byte> rest_;
};

constexpr PeId kReceiver = 0;  // also the root of quiescence
constexpr PeId kSender = 1;
constexpr std::uint64_t kSecret = 0;

void inject(LoopbackNetwork& network, std::uint8_t kind, std::span<const std::byte> bytes) {
  const Lane lane = kind & 1 ? Lane::control : Lane::data;
  if (kind & 2) return network.inject_payload(kReceiver, kSender, kind >> 4, bytes);
  std::vector<std::byte> batch(kind & 4 ? 0 : sizeof(BatchHeader));  // with 4 the header is the input's too
  if (!batch.empty()) {
    const BatchHeader header{.secret = kSecret,
                             .source = kSender,
                             .epoch = 0,
                             .cost = std::uint8_t(lane == Lane::data ? 1 : 0),
                             .credits = 0};
    std::memcpy(batch.data(), &header, sizeof header);
  }
  batch.insert(batch.end(), bytes.begin(), bytes.end());
  network.inject(kReceiver, lane, batch);
}

void play(std::span<const std::byte> data) {
  LoopbackNetwork network;
  Process process(Options{}, EntryTable::freeze(), Roster(3, 1), 0, kSecret);
  Pe& pe = process.pe(0);
  const CurrentPe current(pe);
  pe.exchange().open(network);
  pe.exchange().arrivals().payload_limit = 1 << 16;
  name_entries(pe);
  try {
    Input input(data);
    std::uint8_t kind;
    for (std::span<const std::byte> bytes; input.next(kind, bytes);) {
      inject(network, kind, bytes);
      for (int turn = 0; turn < 4; ++turn) pe.run_some(64);
    }
  } catch (const CorruptMessage&) {
  } catch (const OutOfMemory&) {
  } catch (const UsageError&) {
  }
}

}  // namespace kaon::testing::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  kaon::testing::fuzzing::play(std::as_bytes(std::span(data, bytes)));
  return 0;
}
