// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/base/short_text.hpp"

namespace kaon::runtime {

/// The chare_type of entries that run on collections of every kind.
inline constexpr char kAnyCollection = 0;

/// What a PE holds of an array or a group; the layer above says what that is.
class Collection {
 public:
  explicit Collection(const void* chare_type) : chare_type_(chare_type) {}
  virtual ~Collection() = default;
  /// Ends everything that is suspended in its elements, before any element goes.
  virtual void destroy_tasks() = 0;
  /// An element as a user names it. Takes no memory: it is also said of a crash.
  virtual void say_name(std::uint64_t element, ShortText& text) const = 0;
  /// Messages here that wait for an element to come: how many, and of some of them, until there are `most` lines, what
  /// they wait for.
  virtual std::uint64_t list_awaited(std::vector<std::string>& /*lines*/, std::size_t /*most*/) const { return 0; }
  /// The same of those whose element has neither come nor is known to be on its way.
  virtual std::uint64_t list_unclaimed(std::vector<std::string>& /*lines*/, std::size_t /*most*/) const { return 0; }
  std::string name_of(std::uint64_t element) const {
    ShortText text;
    say_name(element, text);
    return text.str();
  }

  /// Whether the entry, whose record says this of it, may be run here.
  bool runs(const void* chare_type) const { return chare_type == chare_type_ || chare_type == &kAnyCollection; }

 private:
  const void* chare_type_;
};

}  // namespace kaon::runtime
