// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/resource.h>

#include <cstddef>
#include <string>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Makes sure that this process can open `more` file descriptors than it has, for libraries that fail badly when they
/// cannot. Raises the soft limit where the hard one allows it, and returns the limit as it was. Throws UsageError, with
/// `whose` in its sentence, where not.
rlimit reserve_descriptors(std::size_t more, const std::string& whose);

/// Puts /dev/null, where nothing can be written or read as it is opened, in the place of closed standard streams: else
/// what is opened next would get what is meant for them. To be called before anything is opened.
void keep_standard_streams();

}  // namespace kaon::runtime
