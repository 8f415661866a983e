// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/packed.hpp"

#include <cstring>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {

std::vector<std::byte> packed(const SharedFolder& folder) {
  std::vector<std::byte> packed(sizeof folder.free_bytes + folder.path.size());
  std::memcpy(packed.data(), &folder.free_bytes, sizeof folder.free_bytes);
  std::memcpy(packed.data() + sizeof folder.free_bytes, folder.path.data(), folder.path.size());
  return packed;
}

SharedFolder unpacked_folder(const std::vector<std::byte>& packed, const char* name) {
  SharedFolder folder;
  if (packed.size() < sizeof folder.free_bytes) throw_unreadable(name);
  std::memcpy(&folder.free_bytes, packed.data(), sizeof folder.free_bytes);
  folder.path.assign(reinterpret_cast<const char*>(packed.data()) + sizeof folder.free_bytes,
                     packed.size() - sizeof folder.free_bytes);
  return folder;
}

ProcessorMask unpacked_mask(const std::vector<std::byte>& packed) {
  ProcessorMask mask(packed.size() / sizeof(ProcessorMask::value_type));
  std::memcpy(mask.data(), packed.data(), mask.size() * sizeof(ProcessorMask::value_type));
  return mask;
}

void throw_unreadable(const char* name) {
  throw CorruptMessage(std::string(name) + " of another process makes no sense: are all of one version of Kaon?");
}

}  // namespace kaon::launch
