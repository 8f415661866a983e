// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/setting.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

void Setting::refuse(std::string_view why) const {
  throw UsageError(fmt::format("{}: '{}' {}; write it as in \"{}\"", variable, item, why, example));
}

Setting split_setting(std::string_view variable, std::string_view example, std::string_view item) {
  const std::size_t equals = std::min(item.find('='), item.size());
  const Setting setting{variable, example, item, item.substr(0, equals),
                        item.substr(std::min(equals + 1, item.size()))};
  if (equals == item.size()) setting.refuse("has no value");
  return setting;
}

}  // namespace kaon::runtime
