// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/proxy.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

void throw_outside(CollectionId id, const std::string& index, Shape shape) {
  proxy::check_named(id);
  throw_outside(index, shape);
}

namespace proxy {

void throw_other_index() {
  throw UsageError("array[index]: the elements of this array have indices of a type of their own, and no Index");
}

void throw_no_member_of_process() {
  throw UsageError(
      "local(): the node group's member of this process has yet to be made: await create_node_group() first");
}

void throw_no_local_member() { throw UsageError("local(): the member of the group on this PE was deleted"); }

}  // namespace proxy
}  // namespace kaon::chares
