// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/replacements.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>

#include "kaon/ampi_shim/program/interposition.hpp"

namespace kaon::ampi {

std::span<const Replacement> interposed_functions() {
  static const Replacement all[] = {
      replace("pthread_create", pthread_create),
      replace("_dl_find_object", _dl_find_object),
  };
  return all;
}

void* find_replacement(std::string_view name) {
  for (const auto family :
       {interposed_functions(), exit_functions(), output_functions(), report_functions(), input_functions(),
        environment_functions(), random_functions(), option_functions(), text_functions(), program_functions(),
        descriptor_functions(), signal_functions(), library_functions()}) {
    const auto found =
        std::find_if(family.begin(), family.end(), [name](const auto& each) { return each.name == name; });
    if (found != family.end()) return found->function;
  }
  return nullptr;
}

}  // namespace kaon::ampi
