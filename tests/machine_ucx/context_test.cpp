// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/context.hpp"

#include <ucs/config/global_opts.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace kaon::machine_ucx {

bool uses_network(const Context& context) { return context.describe().find("tcp") != std::string::npos; }

ContextSettings settings(int hosts, const std::string& interface) {
  ContextSettings made;
  made.hosts = hosts;
  made.interface = interface;
  return made;
}

TEST_CASE("a run on one host uses no network", "[machine_ucx]") {
  CHECK_FALSE(uses_network(Context{}));
  CHECK_FALSE(uses_network(Context(settings(1, "lo"))));
}

// Which start their drivers. What UCX does without is seen by its setting: where there are no devices it has no use for
// them anyway.
TEST_CASE("a run without devices leaves out the modules for devices", "[machine_ucx]") {
  const Context context;
  std::array<char, 64> modules{};
  const ucs_status_t status = ucs_global_opts_get_value("MODULES", modules.data(), modules.size());
  if (status == UCS_ERR_NO_ELEM) {
    WARN("not seen: this UCX is too old for the choice");
    return;
  }
  REQUIRE(status == UCS_OK);
  CHECK(std::string(modules.data()) == "^cuda,rocm,ze");
}

TEST_CASE("a run on several hosts uses the network it was told, and none by itself", "[machine_ucx]") {
  CHECK(uses_network(Context(settings(2, "lo"))));
  CHECK_THROWS_AS(Context(settings(2, "")), runtime::UsageError);
}

// What UCX has opened, as it tells it: "tcp/lo".
TEST_CASE("on several hosts UCX uses the interface that was named, and no other", "[machine_ucx]") {
  const Context context(settings(2, "lo"));
  char* raw = nullptr;
  std::size_t bytes = 0;
  std::FILE* const stream = open_memstream(&raw, &bytes);
  REQUIRE(stream != nullptr);
  ucp_context_print_info(context.handle(), stream);
  std::fclose(stream);
  const std::string text(raw, bytes);
  std::free(raw);
  INFO(text);
  CHECK(text.find("tcp/lo") != text.npos);
  for (std::size_t at = text.find("tcp/"); at != text.npos; at = text.find("tcp/", at + 1))
    CHECK(text.compare(at, 6, "tcp/lo") == 0);
}

}  // namespace kaon::machine_ucx
