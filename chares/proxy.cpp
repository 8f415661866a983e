// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/proxy.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares::proxy {

Pe& calling_pe() {
  if (Pe* pe = this_pe_or_null()) [[likely]]
    return *pe;
  throw UsageError("a proxy was used on a thread that is no PE: use it in entries and in the main task");
}

ElementTable& table_of(Pe& pe, CollectionId id) {
  Collection* collection = pe.collection(id);
  if (collection == nullptr) [[unlikely]]
    throw UsageError("a proxy names no array: it was made by default, or used before create() had ended");
  return static_cast<ElementTable&>(*collection);
}

}  // namespace kaon::chares::proxy
