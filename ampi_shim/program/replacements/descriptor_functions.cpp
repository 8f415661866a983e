// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "kaon/ampi_shim/program/forked_child.hpp"
#include "kaon/ampi_shim/program/own_descriptors.hpp"
#include "kaon/ampi_shim/program/replacements.hpp"

// Programs that close whatever they may have inherited would close what the process runs by. For them these descriptors
// are not open. A child that they have forked may close all, as it has nothing to do with the run.
namespace kaon::ampi {
namespace {

bool is_refused(int descriptor) { return !is_forked_child() && OwnDescriptors::here().has(descriptor); }

int refuse() {
  errno = EBADF;
  return -1;
}

int close_one(int descriptor) { return is_refused(descriptor) ? refuse() : ::close(descriptor); }

// A table of descriptors of the thread's own is not made: the thread is that of all ranks of its PE.
int close_between(unsigned first, unsigned last, int flags) {
  const int others = flags & ~static_cast<int>(CLOSE_RANGE_UNSHARE);
  if (is_forked_child() || others != 0 || first > last) return ::close_range(first, last, others);
  int code = 0;
  OwnDescriptors::here().between(
      first, last, [&](unsigned from, unsigned to) { code = std::min(code, ::close_range(from, to, 0)); });
  return code;
}

void close_from(int first) { close_between(static_cast<unsigned>(std::max(first, 0)), ~0u, 0); }

int copy_to(int from, int to) { return from != to && is_refused(to) ? refuse() : ::dup2(from, to); }

int copy_to_with(int from, int to, int flags) {
  return from != to && is_refused(to) ? refuse() : ::dup3(from, to, flags);
}

}  // namespace

std::span<const Replacement> descriptor_functions() {
  static const Replacement all[] = {
      replace("close", close_one), replace("close_range", close_between), replace("closefrom", close_from),
      replace("dup2", copy_to),    replace("dup3", copy_to_with),
  };
  return all;
}

}  // namespace kaon::ampi
