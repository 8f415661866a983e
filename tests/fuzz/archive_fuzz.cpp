// SPDX-License-Identifier: Apache-2.0
// Reads a message with something of every kind from arbitrary bytes. What was read without an error must, packed again,
// be read as the same value: otherwise two processes could see two messages.
#include <array>
#include <bitset>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/base/error.hpp"

namespace {

struct Tree {
  std::uint8_t value;
  std::vector<Tree> children;
};

class Pupped {
 public:
  template <class Archive>
  void pup(Archive& ar) {
    ar(flag_);
    if (flag_) {
      ar(text_);
    }
  }

 private:
  bool flag_ = false;
  std::string text_;
};

struct Halo {
  char face;
  double change;
  std::int32_t cells[3];
  std::vector<std::uint32_t> plane;
};

struct Empty {};

using Message = std::tuple<std::uint16_t, std::optional<Halo>, std::vector<Tree>, std::vector<Pupped>,
                           std::map<std::string, std::deque<bool>>, std::variant<std::string, Empty, std::vector<bool>>,
                           std::vector<Empty>, std::array<std::bitset<11>, 2>, std::multimap<std::uint8_t, std::string>,
                           std::vector<std::optional<std::complex<float>>>>;

std::vector<std::byte> packed(const Message& message) {
  kaon::runtime::Writer counter(nullptr, 0);
  counter(message);
  std::vector<std::byte> bytes(counter.bytes());
  kaon::runtime::Writer out(bytes.data(), bytes.size());
  out(message);
  return out.fits() ? bytes : std::vector<std::byte>();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Message message;
  try {
    kaon::runtime::Reader(reinterpret_cast<const std::byte*>(data), size)(message);
  } catch (const kaon::runtime::CorruptMessage&) {
    return 0;
  }
  const std::vector<std::byte> once = packed(message);
  Message again;
  kaon::runtime::Reader in(once.data(), once.size());
  in(again);
  if (in.remaining() != 0 || packed(again) != once) {
    std::abort();
  }
  return 0;
}
