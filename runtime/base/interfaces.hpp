// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace kaon::runtime {

/// The interfaces of the network between hosts, as "eth0,ib0". What is named may not be there on one of the hosts, or
/// be down for a while, and libraries that are given the name then say that they find no network at all.
class Interfaces {
 public:
  explicit Interfaces(const std::string& names);

  /// True if at least one interface is up and has a link and an internet address.
  [[nodiscard]] bool is_usable() const;
  /// Throws UsageError unless is_usable(): what is wrong with each on this host, and which others it has.
  void require_usable() const;
  /// The socket address, with port 0, of the first that has one. Empty: none has.
  [[nodiscard]] std::vector<std::byte> address() const;

 private:
  std::vector<std::string> names_;
};

}  // namespace kaon::runtime
