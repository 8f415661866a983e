// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/no_port.hpp"

#include <fstream>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

std::string range() {
  int first = 0, last = 0;
  if (!(std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> first >> last)) return "";
  return " (" + std::to_string(first) + " to " + std::to_string(last) + ")";
}

}  // namespace

void throw_no_port(std::string_view doing) {
  throw OutOfMemory(std::string(doing) + " failed: all ports of net.ipv4.ip_local_port_range" + range() +
                    " are in use on this host: end what holds them (`ss -ant` lists them), or widen the range with "
                    "`sysctl net.ipv4.ip_local_port_range`");
}

}  // namespace kaon::runtime
