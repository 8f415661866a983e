// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/interfaces.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <sstream>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

struct Interface {
  std::string name;
  bool is_loopback = false;
  bool has_link = false;
  std::vector<std::byte> address;  // empty: none of the internet
};

socklen_t size_of(const sockaddr& address) {
  if (address.sa_family == AF_INET) return sizeof(sockaddr_in);
  return address.sa_family == AF_INET6 ? sizeof(sockaddr_in6) : 0;
}

Interface& found_or_added(std::vector<Interface>& all, const char* name) {
  const auto found = std::ranges::find(all, name, &Interface::name);
  return found != all.end() ? *found : all.emplace_back(Interface{name, false, false, {}});
}

// Of this host. The system lists an interface once for each of its addresses; the first is taken.
std::vector<Interface> interfaces_here() {
  ifaddrs* raw = nullptr;
  if (getifaddrs(&raw) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> listed(raw, &freeifaddrs);
  std::vector<Interface> all;
  for (const ifaddrs* at = listed.get(); at != nullptr; at = at->ifa_next) {
    Interface& interface = found_or_added(all, at->ifa_name);
    interface.is_loopback = (at->ifa_flags & IFF_LOOPBACK) != 0;
    interface.has_link = (at->ifa_flags & IFF_UP) != 0 && (at->ifa_flags & IFF_RUNNING) != 0;
    if (at->ifa_addr == nullptr || !interface.address.empty()) continue;
    const std::span bytes(reinterpret_cast<const std::byte*>(at->ifa_addr), size_of(*at->ifa_addr));
    interface.address.assign(bytes.begin(), bytes.end());
  }
  return all;
}

// Empty: nothing.
std::string fault_of(const std::string& name, const std::vector<Interface>& here) {
  const auto found = std::ranges::find(here, name, &Interface::name);
  if (found == here.end()) return name + " is not there";
  if (!found->has_link) return name + " is down";
  return found->address.empty() ? name + " has no address" : "";
}

std::string name_of_host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this host";
}

}  // namespace

Interfaces::Interfaces(const std::string& names) {
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');)
    if (!name.empty()) names_.push_back(name);
}

bool Interfaces::is_usable() const {
  const std::vector<Interface> here = interfaces_here();
  return std::ranges::any_of(names_, [&here](const std::string& name) { return fault_of(name, here).empty(); });
}

void Interfaces::require_usable() const {
  const std::vector<Interface> here = interfaces_here();
  std::string faults, others;
  for (const std::string& name : names_) {
    const std::string fault = fault_of(name, here);
    if (fault.empty()) return;
    faults += (faults.empty() ? "" : ", ") + fault;
  }
  for (const Interface& interface : here)
    if (interface.has_link && !interface.is_loopback && !interface.address.empty())
      others += (others.empty() ? "" : ", ") + interface.name;
  throw UsageError("--interface names no network of host " + name_of_host() + ": " + faults +
                   "; there could be used: " + (others.empty() ? "none" : others) +
                   ". Where hosts call it differently, name all, as in --interface eth0,ens3");
}

std::vector<std::byte> Interfaces::address() const {
  const std::vector<Interface> here = interfaces_here();
  for (const std::string& name : names_) {
    const auto found = std::ranges::find(here, name, &Interface::name);
    if (found != here.end() && !found->address.empty()) return found->address;
  }
  return {};
}

}  // namespace kaon::runtime
