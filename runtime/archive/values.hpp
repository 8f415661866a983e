// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kaon/runtime/archive/archive.hpp"

// How one value becomes bytes and comes out of them, by its kind.
namespace kaon::runtime {

template <class T>
void Writer::write(const T& value) {
  using archive::Kind;
  constexpr Kind kKind = archive::kind<T>;
  if constexpr (archive::has_fixed_size<T>) {
    if (claim(archive::fixed_size<T>)) {
      archive::place(begin_ + (bytes_ - archive::fixed_size<T>), value);
    }
  } else if constexpr (kKind == Kind::user) {
    // The one pup of a type serves both directions, so it is not const; with a Writer it only looks.
    archive::run_user_code(*this, const_cast<T&>(value));
  } else if constexpr (archive::makes_parts<T>()) {
    write_nested(value);
  } else if constexpr (kKind == Kind::bit_vector) {
    archive::pack_bits(*this, value);
  } else {
    archive::write_parts(*this, value);
  }
}

template <class T>
void Writer::write_nested(const T& value) {
  using archive::Kind;
  constexpr Kind kKind = archive::kind<T>;
  const archive::Level level(levels_);
  if (level.is_too_deep() && !collects_payloads_) [[unlikely]] {  // a collector's values stay in the process
    archive::throw_nested_too_deep();
  }
  if constexpr (kKind == Kind::sequence) {
    archive::pack_sequence(*this, value);
  } else if constexpr (kKind == Kind::optional) {
    archive::pack_optional(*this, value);
  } else if constexpr (kKind == Kind::variant) {
    archive::pack_variant(*this, value);
  } else if constexpr (kKind == Kind::unique || kKind == Kind::shared) {
    archive::pack_pointer(*this, value);
  } else {
    archive::pack_associative(*this, value);
  }
}

template <class T>
void Reader::read(T& value) {
  using archive::Kind;
  constexpr Kind kKind = archive::kind<T>;
  if constexpr (archive::has_fixed_size<T>) {
    archive::fetch(take(archive::fixed_size<T>), value);
  } else if constexpr (kKind == Kind::user) {
    archive::run_user_code(*this, value);
  } else if constexpr (archive::makes_parts<T>()) {
    read_nested(value);
  } else if constexpr (kKind == Kind::bit_vector) {
    archive::unpack_bits(*this, value);
  } else {
    archive::read_parts(*this, value);
  }
}

template <class T>
void Reader::read_nested(T& value) {
  using archive::Kind;
  constexpr Kind kKind = archive::kind<T>;
  const archive::Level level(levels_);
  if (level.is_too_deep()) [[unlikely]] {
    archive::throw_value("containers nested more than 1000 deep");
  }
  if constexpr (kKind == Kind::sequence) {
    archive::unpack_sequence(*this, value);
  } else if constexpr (kKind == Kind::optional) {
    archive::unpack_optional(*this, value);
  } else if constexpr (kKind == Kind::variant) {
    archive::unpack_variant(*this, value);
  } else if constexpr (kKind == Kind::unique || kKind == Kind::shared) {
    archive::unpack_pointer(*this, value);
  } else {
    archive::unpack_associative(*this, value);
  }
}

}  // namespace kaon::runtime
