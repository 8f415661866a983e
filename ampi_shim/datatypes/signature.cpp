// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/signature.hpp"

namespace kaon::ampi {

namespace {

// A polynomial in an odd base modulo 2^64: the hash of two lists one after the other comes from those of each.
constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15;

std::uint64_t hash_of(const BasicType& type) {
  const BasicGroup group = type.group == BasicGroup::kFortranInteger ? BasicGroup::kInteger : type.group;
  std::uint64_t word = (static_cast<std::uint64_t>(group) << 8) + static_cast<std::uint64_t>(type.number) + 1;
  word *= 0xff51afd7ed558ccd;
  return word ^ (word >> 32);
}

}  // namespace

Signature::Signature(const BasicType& type)
    : hash_(hash_of(type)),
      power_(kBase),
      elements_(1),
      is_bytes_(type.group == BasicGroup::kByte || type.group == BasicGroup::kPacked) {}

Signature Signature::followed_by(const Signature& other) const {
  Signature both;
  both.hash_ = hash_ * other.power_ + other.hash_;
  both.power_ = power_ * other.power_;
  both.elements_ = elements_ + other.elements_;
  both.is_bytes_ = is_bytes_ && other.is_bytes_;
  return both;
}

Signature Signature::repeated(std::int64_t times) const {
  Signature result;
  for (Signature doubled = *this; times > 0; times /= 2) {
    if (times % 2 != 0) result = result.followed_by(doubled);
    doubled = doubled.followed_by(doubled);
  }
  return result;
}

}  // namespace kaon::ampi
